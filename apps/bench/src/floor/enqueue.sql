-- Inserts one batch, both rows of each job. $1: organization, $2: queue, $3: payloads.
WITH record AS (
  INSERT INTO bench_floor.jobs (id, organization_id, created_at, timeout_seconds, priority, max_retries, queue_name, payload)
  SELECT uuidv7(), $1::uuid, now(), 300, 0, 3, $2::text, payload FROM unnest($3::json[]) AS payload
  RETURNING id, created_at
)
INSERT INTO bench_floor.job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
SELECT id, $1::uuid, created_at, 'ready', 0, 3, $2::text FROM record
