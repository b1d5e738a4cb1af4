/* @name findRunning */
-- Ids of the running jobs of an organization, those that began first at first, and how many run. Reads the leases of :scanned jobs at most,
-- queue by queue, without jobs that are being deleted. :queues that the caller may access, null = all; :workers null = any.
-- Relies on job_queue_leased, of which PostgreSQL skips through the queues when there are :workers.
WITH leased AS MATERIALIZED (
  SELECT job_id, started_at
  FROM job_queue q
  WHERE organization_id = :organizationId! AND state = 'leased' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
    AND (:workers::text[] IS NULL OR worker_id = ANY (:workers)) AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
  ORDER BY queue_name, worker_id LIMIT :scanned!
)
SELECT job_id AS "id!", (SELECT count(*) FROM leased) AS "running!"
FROM leased
ORDER BY started_at, job_id LIMIT :limit!;

/* @name listRunning */
-- The running jobs :ids of an organization, in this order.
-- Relies on the primary keys of job_queue, jobs and workers.
SELECT l.job_id AS "id!", l.lease_id, l.queue_name AS "queue_name!", j.job_type AS "job_type?", l.worker_id AS "worker_id?",
  w.hostname AS "hostname?", l.retry_count AS "retry_count!", l.max_retries AS "max_retries!", l.priority AS "priority!", l.started_at,
  l.lease_expires_at, l.timeout_seconds, l.progress, l.progress_message, l.progress_at, current_ts() AS "now!"
FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS c (id, place)
JOIN job_queue l ON l.job_id = c.id AND l.organization_id = :organizationId! AND l.state = 'leased'
LEFT JOIN jobs j ON j.organization_id = :organizationId! AND j.id = l.job_id
LEFT JOIN workers w ON w.organization_id = :organizationId! AND w.id = l.worker_id
ORDER BY c.place;
