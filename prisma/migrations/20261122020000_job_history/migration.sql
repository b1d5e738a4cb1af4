-- What the history of a job shows and no record knew. Rows are written by the transition itself; who created a job is part of its record,
-- so that the insert of a job stays one row.

-- Who created the job, as text (kind, id, name); null: unknown, as of every job from before this column.
ALTER TABLE jobs ADD COLUMN created_by text;

-- Who caused the event; null where the event itself says so (a worker that failed, a lease that expired).
ALTER TABLE job_history ADD COLUMN actor text;
-- The lease of the attempt that ended, so that an attempt is one row for its claim and its end.
ALTER TABLE job_history ADD COLUMN lease_id uuid;
-- What else the event says.
ALTER TABLE job_history ADD COLUMN details json;

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
  j.idempotency_key, j.updated_at, j.workflow_id, j.dependency_mode, q.dependencies_met, j.job_type, j.traceparent, j.created_by
FROM jobs j
LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id;
