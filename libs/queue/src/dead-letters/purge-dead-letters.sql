-- Deletes the oldest dead letters that match, with everything that is kept about them.
-- $1 organization, $2 job ids or null, $3 queue or null, $4 created before or null, $5 limit, $6 dead since then at the latest, or
-- null. Relies on: dead_letters_oldest.
WITH chosen AS MATERIALIZED (
  SELECT job_id FROM dead_letters
  WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR job_id = ANY ($2)) AND ($3::text IS NULL OR queue_name = $3)
    AND ($4::timestamptz IS NULL OR created_at < $4) AND ($6::timestamptz IS NULL OR dead_at <= $6)
  ORDER BY created_at, job_id LIMIT $5
  FOR UPDATE SKIP LOCKED
), letters AS (
  DELETE FROM dead_letters d USING chosen c WHERE d.job_id = c.job_id
), records AS (
  DELETE FROM jobs j USING chosen c WHERE j.id = c.job_id AND j.outcome = 'deadletter' RETURNING j.id
), keys AS (
  DELETE FROM idempotency_keys k USING chosen c WHERE k.job_id = c.job_id
), edges AS (
  DELETE FROM job_dependencies e USING chosen c WHERE e.job_id = c.job_id
), past AS (
  DELETE FROM job_history h USING chosen c WHERE h.organization_id = $1 AND h.job_id = c.job_id
)
SELECT count(*) AS purged FROM records
