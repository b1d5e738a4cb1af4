-- Deletes a queue's name and counters and, if $3, its jobs with everything that is kept about them.
-- $1 organization, $2 queue, $3 whether jobs go too, $4 the moment up to which jobs go, or null: a job that was created later keeps
-- the queue alive. Rare, and the one statement that reads a tenant's whole history.
WITH gone AS (
  DELETE FROM jobs WHERE $3 AND organization_id = $1 AND created_at > '-infinity' AND queue_name = $2
    AND ($4::timestamptz IS NULL OR created_at <= $4)
  RETURNING id, workflow_id
), live AS (
  DELETE FROM job_queue WHERE $3 AND organization_id = $1 AND queue_name = $2 AND ($4::timestamptz IS NULL OR created_at <= $4)
  RETURNING job_id, lease_id, renewed
), letters AS (
  DELETE FROM dead_letters WHERE $3 AND organization_id = $1 AND queue_name = $2 AND ($4::timestamptz IS NULL OR created_at <= $4)
), keys AS (
  DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id
), edges AS (
  DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id
), newer AS MATERIALIZED (
  SELECT FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND created_at > $4 LIMIT 1
), counters AS (
  DELETE FROM job_stats WHERE $3 AND organization_id = $1 AND queue_name = $2 AND NOT EXISTS (SELECT FROM newer)
), name AS (
  DELETE FROM queues WHERE organization_id = $1 AND queue_name = $2 AND NOT EXISTS (SELECT FROM newer)
)
SELECT count(*) AS deleted, coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS workflow_ids,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('jobId', job_id, 'leaseId', lease_id)), '[]') FROM live
   WHERE renewed AND lease_id IS NOT NULL) AS leases
FROM gone
