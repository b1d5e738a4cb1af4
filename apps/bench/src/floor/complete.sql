-- Completes one batch of one worker, if the leases are still valid. $1: jobs, $2: leases, $3: worker.
WITH ended AS (
  DELETE FROM bench_floor.job_queue q USING unnest($1::uuid[], $2::uuid[]) AS held (job_id, lease_id)
  WHERE q.job_id = held.job_id AND q.lease_id = held.lease_id AND q.state = 'leased' AND q.lease_expires_at > now()
  RETURNING q.job_id, q.lease_id, q.started_at, q.retry_count
)
UPDATE bench_floor.jobs j SET outcome = 'completed', completed_at = now(), started_at = e.started_at, lease_id = e.lease_id,
  retry_count = e.retry_count, assigned_worker_id = $3::text
FROM ended e WHERE j.id = e.job_id
