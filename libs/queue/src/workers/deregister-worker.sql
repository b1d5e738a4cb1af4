-- Marks a worker offline and gives back its jobs. One row per job, or one with nulls; none when the worker is unknown.
-- $1 organization, $2 worker, $3 queues that the key may touch (null = all), $4 the moment up to which leases were granted that are
-- given back, or null. Relies on: job_queue_leased.
WITH worker AS (
  UPDATE workers SET status = 'offline', current_jobs = 0, updated_at = now()
  WHERE organization_id = $1 AND id = $2 AND ($3::text[] IS NULL OR queue_name = ANY ($3))
  RETURNING id, queue_name
), held AS MATERIALIZED (
  SELECT q.job_id, q.lease_id FROM job_queue q JOIN worker w ON q.worker_id = w.id
  WHERE q.organization_id = $1 AND q.state = 'leased' AND ($4::timestamptz IS NULL OR q.started_at <= $4)
  ORDER BY q.job_id FOR UPDATE OF q
), released AS (
  UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
  FROM held h WHERE q.job_id = h.job_id RETURNING q.job_id, q.queue_name, h.lease_id
)
SELECT w.queue_name AS worker_queue, r.job_id, r.queue_name, r.lease_id, now() AS now FROM worker w LEFT JOIN released r ON true
