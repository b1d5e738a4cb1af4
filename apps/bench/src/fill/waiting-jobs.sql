-- Inserts jobs whose handlers wait for a signal `approval` until tomorrow, with all rows that begin_wait_v1 leaves. Run as superuser.
-- $1: organization, $2: queue, $3: how many, $4: payload. Returns nothing.
WITH record AS (
  INSERT INTO jobs (id, organization_id, queue_name, payload, created_at, updated_at, timeout_seconds, priority, max_retries)
  SELECT uuidv7(), $1::uuid, $2, $4::json, now(), now(), 300, 0, 3 FROM generate_series(1, $3::integer)
  RETURNING id, created_at
), live AS (
  INSERT INTO job_queue (job_id, organization_id, queue_name, state, priority, max_retries, created_at, due_at)
  SELECT id, $1::uuid, $2, 'scheduled', 0, 3, created_at, created_at + interval '1 day' FROM record
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, details)
  SELECT $1::uuid, id, created_at, 'waiting', 1, 'worker-1', created_at, gen_random_uuid(),
    json_build_object('step', 'approval', 'kind', 'signal', 'scheduled_at', created_at + interval '1 day') FROM record
), queue AS (
  INSERT INTO queues (organization_id, queue_name) VALUES ($1::uuid, $2) ON CONFLICT DO NOTHING
)
INSERT INTO job_steps (job_id, organization_id, name, kind, created_at, deadline)
SELECT id, $1::uuid, 'approval', 'signal', created_at, created_at + interval '1 day' FROM record;
