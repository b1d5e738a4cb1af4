/* @name findJob */
-- One job of the organization.
-- :queues that the caller may access, null = all.
SELECT
  id AS "id!", organization_id AS "organization_id!", queue_name AS "queue_name!", status::job_status AS "status!", payload AS "payload!",
  result, retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at,
  started_at, completed_at, expires_at, priority AS "priority!", tags::text AS tags, timeout_seconds AS "timeout_seconds!", parent_job_id,
  completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS "updated_at!", workflow_id,
  dependency_mode, dependencies_met, progress, progress_message, progress_at, cancel_requested_at, settings, batch_id
FROM find_job_v1(:organizationId!, :id!, :queues);
