-- Inserts pending jobs (record and live row): rows $2 + 1 to $2 + $3, spread evenly over the organizations in $1 and
-- $4 queues of each (`pending-0`, …). Run as superuser. $5: payload. Returns nothing.
WITH record AS (
  INSERT INTO jobs (id, organization_id, queue_name, payload, created_at, updated_at, timeout_seconds, priority, max_retries)
  SELECT uuidv7(), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'pending-' || n / cardinality($1::uuid[]) % $4::integer, $5::json,
    now(), now(), 300, 0, 3
  FROM generate_series($2::bigint, $2::bigint + $3::bigint - 1) AS n
  RETURNING id, organization_id, queue_name, created_at, priority, max_retries
), live AS (
  INSERT INTO job_queue (job_id, organization_id, queue_name, state, priority, max_retries, created_at)
  SELECT id, organization_id, queue_name, 'ready', priority, max_retries, created_at FROM record
)
INSERT INTO queues (organization_id, queue_name)
SELECT DISTINCT organization_id, queue_name FROM record ON CONFLICT DO NOTHING;
