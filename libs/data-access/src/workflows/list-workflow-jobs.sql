-- The jobs of a workflow in the order of their ids, which is one in which they may run. Jobs whose record is gone are left out.
-- $1 organization, $2 workflow, $3 job (null = all).
-- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.
SELECT
  r.id, r.organization_id, m.key, r.queue_name, r.job_type, r.payload, r.result, r.status, r.priority, r.retry_count, r.max_retries,
  r.timeout_seconds, r.created_at, r.scheduled_at, r.started_at, r.completed_at, r.updated_at, r.last_error, r.tags,
  r.parent_job_id, coalesce(r.dependency_mode, 'all') AS dependency_mode,
  ARRAY(
    SELECT p.key FROM job_dependencies d JOIN workflow_jobs p ON p.job_id = d.depends_on_job_id AND p.workflow_id = m.workflow_id
    WHERE d.job_id = m.job_id ORDER BY p.job_id
  ) AS depends_on
FROM workflow_jobs m
JOIN job_records r ON r.id = m.job_id AND r.organization_id = $1
WHERE m.organization_id = $1 AND m.workflow_id = $2 AND ($3::uuid IS NULL OR m.job_id = $3)
ORDER BY r.id
