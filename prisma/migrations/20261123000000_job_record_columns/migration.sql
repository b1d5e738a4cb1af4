-- Everything that callers see of a job, so that a read of one job needs no second look at jobs and job_queue: planning those took longer
-- than the read. New columns of a view come last; statements of the previous release name the columns that they read.
CREATE OR REPLACE VIEW job_records WITH (security_invoker = true) AS
SELECT
  j.id, j.organization_id, j.queue_name,
  CASE q.state
    WHEN 'ready' THEN 'pending' WHEN 'retrying' THEN 'pending' WHEN 'scheduled' THEN 'scheduled' WHEN 'leased' THEN 'processing'
    ELSE j.outcome::text
  END AS status,
  j.payload, j.result, coalesce(q.retry_count, j.retry_count) AS retry_count, j.max_retries,
  CASE WHEN q.job_id IS NULL THEN j.last_error ELSE q.last_error END AS last_error,
  j.created_at,
  CASE WHEN q.job_id IS NULL THEN j.scheduled_at ELSE coalesce(q.due_at, j.scheduled_at) END AS scheduled_at,
  CASE WHEN q.job_id IS NULL THEN j.started_at ELSE q.started_at END AS started_at,
  j.completed_at, j.expires_at, coalesce(q.priority, j.priority) AS priority, j.tags, j.timeout_seconds,
  j.parent_job_id, j.completion_webhook,
  CASE WHEN q.job_id IS NULL THEN j.assigned_worker_id ELSE q.worker_id END AS assigned_worker_id,
  CASE WHEN q.job_id IS NULL THEN j.lease_id ELSE q.lease_id END AS lease_id,
  CASE WHEN q.job_id IS NULL THEN j.lease_expires_at ELSE q.lease_expires_at END AS lease_expires_at,
  j.idempotency_key, j.updated_at, j.workflow_id, j.dependency_mode, q.dependencies_met, j.job_type, j.traceparent, j.created_by,
  j.settings,
  CASE q.state WHEN 'leased' THEN q.progress END AS progress,
  CASE q.state WHEN 'leased' THEN q.progress_message END AS progress_message,
  CASE q.state WHEN 'leased' THEN q.progress_at END AS progress_at
FROM jobs j
LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id
WHERE NOT EXISTS (
  SELECT FROM queue_deletions d
  WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until
);
