-- Completed jobs 1 to $2 of the organization $1, one each second of the year 2026. 1 to 3 have a rare queue, job type and tag; 4 is
-- cancelled, 5 dead, 6 scheduled. One queue has twenty job types, so that there are 30 in all. Returns their ids and numbers.
WITH made AS (
  SELECT n, uuidv7(make_interval(secs => n - $2::int)) AS id, timestamptz '2026-01-01Z' + make_interval(secs => n) AS created,
    CASE WHEN n <= 3 THEN 'rare' ELSE 'common-' || n % 10 END AS queue_name,
    CASE WHEN n <= 3 THEN 'rare.type' WHEN n % 10 = 7 THEN 'type-' || n / 10 % 20 ELSE 'common' END AS job_type,
    CASE WHEN n <= 3 THEN '["rare-tag"]' WHEN n % 2 = 0 THEN '{"even": 1}' END::jsonb AS tags,
    CASE n WHEN 4 THEN 'cancelled' WHEN 5 THEN 'deadletter' WHEN 6 THEN NULL ELSE 'completed' END::job_status AS outcome
  FROM generate_series(1, $2::int) AS n
), record AS (
  INSERT INTO jobs (id, organization_id, queue_name, job_type, tags, outcome, created_at, updated_at, completed_at, cancelled_at,
    timeout_seconds, priority, max_retries, payload)
  SELECT id, $1::uuid, queue_name, job_type, tags, outcome, created, created, created, CASE outcome WHEN 'cancelled' THEN created END,
    300, 0, 3, CASE WHEN n <= 3 THEN '{"rare":true}' ELSE '{}' END::json
  FROM made
), live AS (
  INSERT INTO job_queue (job_id, organization_id, queue_name, state, due_at, priority, max_retries, created_at)
  SELECT id, $1, queue_name, 'scheduled', timestamptz '2099-01-01Z', 0, 3, created FROM made WHERE outcome IS NULL
), dead AS (
  INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
  SELECT id, $1, queue_name, created, created, job_type, id FROM made WHERE outcome = 'deadletter'
)
SELECT id, n FROM made
