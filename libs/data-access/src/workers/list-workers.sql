/* @name listWorkers */
-- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat
-- arrives between them. Their counters are as in find-worker.sql.
-- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.
-- Relies on workers_organization, or on the primary key; and on the primary key of worker_counts.
WITH page AS MATERIALIZED (
  SELECT * FROM workers
  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
    AND (:afterId::text IS NULL OR id > :afterId)
  ORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id
  LIMIT :limit! OFFSET :offset!
), pending AS (
  SELECT page.id, sum(d.jobs) FILTER (WHERE NOT c.failed) AS processed, sum(d.jobs) FILTER (WHERE c.failed) AS failed
  FROM (
    SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000
  ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)
  JOIN page ON page.id = d.worker AND c.at >= page.registered_at
  GROUP BY page.id
)
SELECT page.id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat,
  (jobs_processed + coalesce(processed, 0))::bigint AS "jobs_processed!", (jobs_failed + coalesce(failed, 0))::bigint AS "jobs_failed!"
FROM page LEFT JOIN pending ON pending.id = page.id
ORDER BY CASE WHEN NOT :byId THEN last_heartbeat END DESC, page.id;
