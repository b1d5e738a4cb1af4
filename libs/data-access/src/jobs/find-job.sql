/* @name findJob */
-- One job of the organization.
-- :queues that the caller may access, null = all.
-- Relies on the primary key of jobs; the time in the id selects the partition.
SELECT
  id AS "id!", organization_id AS "organization_id!", queue_name AS "queue_name!", status::job_status AS "status!", payload AS "payload!",
  result, retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at,
  started_at, completed_at, expires_at, priority AS "priority!", tags::text AS tags, timeout_seconds AS "timeout_seconds!", parent_job_id,
  completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS "updated_at!", workflow_id,
  dependency_mode, dependencies_met, live.progress, live.progress_message, live.progress_at,
  (SELECT j.settings FROM jobs j WHERE j.id = job_records.id) AS settings
FROM job_records
LEFT JOIN LATERAL (
  SELECT q.progress, q.progress_message, q.progress_at FROM job_queue q WHERE q.job_id = id AND q.state = 'leased'
) AS live ON true
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
