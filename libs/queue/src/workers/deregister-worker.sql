/* @name deregisterWorker */
-- Marks a worker offline and gives back its jobs. One row per job, or one with nulls; none when the worker is unknown.
-- :queues that the key may touch, null = all; :startedUntil the moment up to which leases were granted that are given back, or
-- null. Relies on: job_queue_leased.
WITH worker AS (
  UPDATE workers SET status = 'offline', current_jobs = 0, updated_at = now()
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  RETURNING id, queue_name
), held AS MATERIALIZED (
  SELECT q.job_id, q.lease_id, q.worker_id, q.started_at, q.retry_count FROM job_queue q JOIN worker w ON q.worker_id = w.id
  WHERE q.organization_id = :organizationId! AND q.state = 'leased'
    AND (:startedUntil::timestamptz IS NULL OR q.started_at <= :startedUntil)
  ORDER BY q.job_id FOR UPDATE OF q
), released AS (
  UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
  FROM held h WHERE q.job_id = h.job_id RETURNING q.job_id, q.queue_name, h.lease_id
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, actor, details)
  SELECT :organizationId!, job_id, statement_timestamp(), 'released', retry_count + 1, worker_id, started_at, lease_id,
    nullif(current_setting('app.actor', true), ''), json_build_object('reason', nullif(current_setting('app.reason', true), ''))
  FROM held
)
SELECT w.queue_name AS worker_queue, r.job_id AS "job_id?", r.queue_name AS "queue_name?", r.lease_id, now() AS "now!"
FROM worker w LEFT JOIN released r ON true;
