-- Claims one batch for one worker. $1: organization, $2: queue, $3: worker, $4: jobs. Uses the index of ready rows.
WITH free AS MATERIALIZED (
  SELECT job_id FROM bench_floor.job_queue
  WHERE organization_id = $1::uuid AND queue_name = $2::text AND state = 'ready'
  ORDER BY priority DESC, created_at, job_id LIMIT $4::integer FOR UPDATE SKIP LOCKED
), leased AS (
  UPDATE bench_floor.job_queue q SET state = 'leased', lease_id = gen_random_uuid(), worker_id = $3::text, started_at = now(),
    lease_expires_at = now() + interval '5 minutes'
  FROM free WHERE q.job_id = free.job_id
  RETURNING q.job_id, q.lease_id, q.lease_expires_at, q.retry_count
)
SELECT l.job_id, l.lease_id, l.lease_expires_at, l.retry_count, j.payload
FROM leased l JOIN bench_floor.jobs j ON j.id = l.job_id
