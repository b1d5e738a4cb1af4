/* @name mergeWorkerCounts */
-- Adds to workers what batches have counted, :limit rows at most. Ids that nobody has registered are dropped, and so is what was counted
-- before the registration.
WITH taken AS (
  DELETE FROM worker_counts c USING (
    SELECT organization_id, id FROM worker_counts LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) AS chosen
  WHERE c.organization_id = chosen.organization_id AND c.id = chosen.id
  RETURNING c.*
), counted AS (
  SELECT t.organization_id, d.worker, coalesce(sum(d.jobs) FILTER (WHERE NOT t.failed), 0) AS processed,
    coalesce(sum(d.jobs) FILTER (WHERE t.failed), 0) AS failed
  FROM taken t CROSS JOIN LATERAL unnest(t.workers, t.jobs) AS d(worker, jobs)
  JOIN workers w ON w.organization_id = t.organization_id AND w.id = d.worker AND t.at >= w.registered_at
  GROUP BY t.organization_id, d.worker
), written AS (
  UPDATE workers w SET jobs_processed = w.jobs_processed + c.processed, jobs_failed = w.jobs_failed + c.failed
  FROM counted c WHERE w.organization_id = c.organization_id AND w.id = c.worker
)
SELECT count(*) AS "merged!" FROM taken;
