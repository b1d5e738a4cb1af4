-- Large deletions run in the background, as operations. What is deleted is hidden at once.

-- Where an operation continues, such as the last row that it has looked at.
ALTER TABLE operations ADD COLUMN progress jsonb;

-- Queues whose jobs are being deleted: those created up to deleted_until are hidden from callers. While live rows are left, no job of
-- the queue can be claimed. A row goes with the last job that it hides.
-- Writer: libs/queue.
CREATE TABLE queue_deletions (
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  deleted_until timestamptz NOT NULL,
  has_live_jobs boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, queue_name)
);
SELECT protect_tenant_table('queue_deletions');

-- The job as callers see it, without the jobs of deleted queues.
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
LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id
WHERE NOT EXISTS (
  SELECT FROM queue_deletions d
  WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until
);

-- These tables grow with use: their rows go in steps, not by cascade in the request that deletes the organization.
ALTER TABLE workflows DROP CONSTRAINT workflows_organization_id_fkey;
ALTER TABLE schedules DROP CONSTRAINT schedules_organization_id_fkey;
ALTER TABLE outgoing_webhooks DROP CONSTRAINT outgoing_webhooks_organization_id_fkey;

CREATE FUNCTION begin_organization_deletion() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO operations (organization_id, kind, actor)
  VALUES (OLD.id, 'organization.delete', nullif(current_setting('app.actor', true), ''));
  RETURN NULL;
END
$$;
-- By a trigger, so that it applies to every deletion of the row, also in the previous release.
CREATE TRIGGER organization_deletion_begun AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION begin_organization_deletion();
