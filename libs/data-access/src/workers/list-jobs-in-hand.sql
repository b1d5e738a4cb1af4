/* @name listJobsInHand */
-- The jobs that a worker holds, the oldest attempt first, without those that are being deleted; and whether the worker is registered.
-- :queues that the caller may access, null = all.
-- Relies on job_queue_leased, of which PostgreSQL skips through the queues, and the primary keys of jobs and workers.
WITH held AS MATERIALIZED (
  SELECT job_id, lease_id, queue_name, retry_count, max_retries, priority, started_at, lease_expires_at, timeout_seconds, progress,
    progress_message, progress_at
  FROM job_queue q
  WHERE organization_id = :organizationId! AND state = 'leased' AND worker_id = :id!
    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
  ORDER BY queue_name, worker_id LIMIT :limit!
)
SELECT h.job_id AS "id?", h.lease_id AS "lease_id?", h.queue_name AS "queue_name?", j.job_type AS "job_type?", h.retry_count AS "retry_count?",
  h.max_retries AS "max_retries?", h.priority AS "priority?", h.started_at, h.lease_expires_at, h.timeout_seconds, h.progress,
  h.progress_message, h.progress_at, current_ts() AS "now!"
FROM (
  SELECT FROM workers
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  UNION ALL SELECT FROM (SELECT FROM held LIMIT 1) AS first
  LIMIT 1
) AS known
LEFT JOIN held h ON true
LEFT JOIN jobs j ON j.organization_id = :organizationId! AND j.id = h.job_id
ORDER BY h.started_at, h.job_id;
