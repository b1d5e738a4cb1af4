-- Deletes idempotency keys, dependencies and history of the finished jobs of a week whose partition is about to be dropped.
--   $1 days that finished jobs are kept · replaced: week_partition
-- Index: idempotency_keys_job, job_dependencies_pkey, job_history_job.
WITH finished AS (
  SELECT id, organization_id FROM week_partition
  WHERE outcome IN ('completed', 'cancelled') AND completed_at < now() - make_interval(days => $1)
), keys AS (
  DELETE FROM idempotency_keys k USING finished f WHERE k.job_id = f.id
), past AS (
  DELETE FROM job_history h USING finished f WHERE h.organization_id = f.organization_id AND h.job_id = f.id
)
DELETE FROM job_dependencies d USING finished f WHERE d.job_id = f.id
