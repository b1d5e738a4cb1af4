-- Inserts finished jobs: rows $2 + 1 to $2 + $3 of $4. Ids and times are spread evenly from $5 to $6 seconds ago, so that consecutive
-- chunks fill the partitions in order of time. Run as superuser.
-- $1: organizations, used round-robin. $7: payload. Returns nothing.
INSERT INTO jobs (
  id, organization_id, queue_name, payload, result, outcome, created_at, updated_at, started_at, completed_at, lease_expires_at,
  lease_id, assigned_worker_id, timeout_seconds, priority, max_retries)
SELECT
  uuidv7(-age), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'finished-' || n % 10, $7::json, '{"ok":true}', 'completed',
  created, created + interval '60 ms', created + interval '40 ms', created + interval '60 ms', created + interval '30 s',
  gen_random_uuid(), 'bench', 300, 0, 3
FROM generate_series($2::bigint + 1, $2::bigint + $3::bigint) AS n
CROSS JOIN LATERAL (SELECT make_interval(secs => $5::float8 - ($5::float8 - $6::float8) * n / $4::bigint) AS age) AS a
CROSS JOIN LATERAL (SELECT now() - age AS created) AS b;
