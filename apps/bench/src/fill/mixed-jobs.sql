-- Inserts jobs of all kinds, for lists: rows $2 + 1 to $2 + $3 of $4. Ids and times are spread evenly from $5 to $6 seconds ago, so that
-- consecutive chunks fill the partitions in order of time. Run as superuser.
-- $1: organizations, used round-robin. $7: payload. Returns nothing.
--   queues      mixed-0 … mixed-9; one job in 100,000 in rare-queue
--   job types   type-0 … type-18; one job in 100,000 has rare.type
--   tags        one job in 5 has env, one in 100,000 rare-tag
--   states      the newest 0.5 % pending, one job in 50,000 scheduled, one in 1,000 cancelled, one in 10,000 dead, the others completed
WITH made AS (
  SELECT
    uuidv7(-age) AS id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] AS organization_id, now() - age AS created,
    CASE WHEN n % 100000 = 11 THEN 'rare-queue' ELSE 'mixed-' || n % 10 END AS queue_name,
    CASE WHEN n % 100000 = 23 THEN 'rare.type' ELSE 'type-' || n % 19 END AS job_type,
    CASE WHEN n % 100000 = 37 THEN '["rare-tag"]' WHEN n % 5 = 0 THEN '{"env": "prod"}' END::jsonb AS tags,
    CASE
      WHEN n > 0.995 * $4::bigint THEN 'ready' WHEN n % 50000 = 41 THEN 'scheduled'
      WHEN n % 1000 = 13 THEN 'cancelled' WHEN n % 10000 = 17 THEN 'deadletter' ELSE 'completed'
    END AS state
  FROM generate_series($2::bigint + 1, $2::bigint + $3::bigint) AS n
  CROSS JOIN LATERAL (SELECT make_interval(secs => $5::float8 - ($5::float8 - $6::float8) * n / $4::bigint) AS age) AS a
), record AS (
  INSERT INTO jobs (
    id, organization_id, queue_name, job_type, tags, payload, result, outcome, created_at, updated_at, started_at, completed_at,
    cancelled_at, lease_expires_at, lease_id, assigned_worker_id, timeout_seconds, priority, max_retries)
  SELECT
    id, organization_id, queue_name, job_type, tags, $7::json, CASE WHEN state = 'completed' THEN '{"ok":true}' END::json,
    CASE WHEN state NOT IN ('ready', 'scheduled') THEN state END::job_status, created, created + interval '60 ms',
    created + interval '40 ms', CASE WHEN state NOT IN ('ready', 'scheduled') THEN created + interval '60 ms' END,
    CASE state WHEN 'cancelled' THEN created + interval '60 ms' END, created + interval '30 s', gen_random_uuid(), 'bench', 300, 0, 3
  FROM made
), live AS (
  INSERT INTO job_queue (job_id, organization_id, queue_name, state, due_at, priority, max_retries, created_at)
  SELECT id, organization_id, queue_name, state::live_state, CASE WHEN state = 'scheduled' THEN now() + interval '1 year' END, 0, 3, created
  FROM made WHERE state IN ('ready', 'scheduled')
), dead AS (
  INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
  SELECT id, organization_id, queue_name, created, created, job_type, dead_letter_group_v1(queue_name, job_type, NULL) FROM made WHERE state = 'deadletter'
)
INSERT INTO queues (organization_id, queue_name)
SELECT DISTINCT organization_id, queue_name FROM made ON CONFLICT DO NOTHING;
