-- Deletes idempotency keys and dependencies of the finished jobs of a week whose partition is about to be dropped.
--   $1 days that finished jobs are kept · replaced: week_partition
-- Index: idempotency_keys_job, job_dependencies_pkey.
WITH finished AS (
  SELECT id FROM week_partition
  WHERE outcome IN ('completed', 'cancelled') AND completed_at < now() - make_interval(days => $1)
), keys AS (
  DELETE FROM idempotency_keys k USING finished f WHERE k.job_id = f.id
)
DELETE FROM job_dependencies d USING finished f WHERE d.job_id = f.id
