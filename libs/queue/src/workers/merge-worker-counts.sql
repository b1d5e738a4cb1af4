/* @name mergeWorkerCounts */
-- Adds to workers what batches have counted, :limit rows at most. Ids that nobody has registered are dropped, and so is what was counted
-- before the registration. Waits for no lock: rows about a worker that another transaction holds are left for a later run.
WITH chosen AS MATERIALIZED (
  SELECT organization_id, id, workers FROM worker_counts LIMIT :limit! FOR UPDATE SKIP LOCKED
), held AS MATERIALIZED (
  SELECT n.organization_id, n.worker
  FROM (SELECT DISTINCT c.organization_id, d.worker FROM chosen c CROSS JOIN LATERAL unnest(c.workers) AS d(worker)) AS n
  LEFT JOIN LATERAL (
    SELECT true AS is_locked FROM workers WHERE organization_id = n.organization_id AND id = n.worker FOR NO KEY UPDATE SKIP LOCKED
  ) AS w ON true
  WHERE w.is_locked IS NULL AND EXISTS (SELECT FROM workers WHERE organization_id = n.organization_id AND id = n.worker)
), taken AS (
  DELETE FROM worker_counts c USING chosen
  WHERE c.organization_id = chosen.organization_id AND c.id = chosen.id
    AND NOT EXISTS (SELECT FROM held h WHERE h.organization_id = c.organization_id AND h.worker = ANY (c.workers))
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
