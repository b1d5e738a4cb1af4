-- One job of the organization, as callers see it.
-- $1 organization, $2 job, $3 queues that the caller may see (null = all).
-- Relies on the primary key of jobs; the id's time picks the partition.
SELECT
  id, organization_id, queue_name, status, payload, result, retry_count, max_retries, last_error, created_at, scheduled_at,
  started_at, completed_at, expires_at, priority, tags, timeout_seconds, parent_job_id, completion_webhook,
  assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at, workflow_id, dependency_mode, dependencies_met
FROM job_records
WHERE organization_id = $1 AND id = $2 AND ($3::text[] IS NULL OR queue_name = ANY ($3))
