/* @name findWorker */
-- One worker.
-- :queues that the caller may access, null = all.
-- What was counted and not yet merged into the worker's row is added: normally the batches of a few seconds, at most the newest 10,000.
WITH pending AS (
  SELECT d.worker, c.at, c.failed, d.jobs
  FROM (
    SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000
  ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)
  WHERE d.worker = :id!
)
SELECT
  id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS "metadata!",
  version, registered_at, updated_at,
  CASE WHEN status = 'draining' THEN drain_requested_at END AS drain_requested_at,
  (jobs_processed + coalesce((
    SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND NOT p.failed AND p.at >= registered_at), 0))::bigint AS "jobs_processed!",
  (jobs_failed + coalesce((
    SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND p.failed AND p.at >= registered_at), 0))::bigint AS "jobs_failed!"
FROM workers
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
