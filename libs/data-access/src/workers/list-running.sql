/* @name listRunning */
-- The running jobs of an organization, those that began first at first. Reads the leases of :scanned jobs at most, queue by queue.
-- :queues that the caller may access, null = all.
-- Relies on job_queue_leased, and the primary keys of jobs and workers.
WITH leased AS MATERIALIZED (
  SELECT job_id, lease_id, queue_name, worker_id, retry_count, max_retries, priority, started_at, lease_expires_at, timeout_seconds,
    progress, progress_message, progress_at
  FROM job_queue
  WHERE organization_id = :organizationId! AND state = 'leased' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  ORDER BY queue_name, worker_id LIMIT :scanned!
), longest AS (
  SELECT * FROM leased ORDER BY started_at, job_id LIMIT :limit!
)
SELECT l.job_id AS "id!", l.lease_id, l.queue_name AS "queue_name!", j.job_type AS "job_type?", l.worker_id AS "worker_id?",
  w.hostname AS "hostname?", l.retry_count AS "retry_count!", l.max_retries AS "max_retries!", l.priority AS "priority!", l.started_at,
  l.lease_expires_at, l.timeout_seconds, l.progress, l.progress_message, l.progress_at, current_ts() AS "now!",
  (SELECT count(*) FROM leased) AS "running!"
FROM longest l
LEFT JOIN jobs j ON j.organization_id = :organizationId! AND j.id = l.job_id
LEFT JOIN workers w ON w.organization_id = :organizationId! AND w.id = l.worker_id
ORDER BY l.started_at, l.job_id;
