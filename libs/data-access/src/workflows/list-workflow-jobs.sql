/* @name listWorkflowJobs */
-- The jobs of a workflow ordered by id, which is a topological order. Deleted jobs are omitted.
-- :jobId null = all.
-- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.
SELECT
  r.id AS "id!", r.organization_id AS "organization_id!", m.key, r.queue_name AS "queue_name!", r.job_type AS "job_type!",
  r.payload AS "payload!", r.result, r.status::job_status AS "status!", r.priority AS "priority!", r.retry_count AS "retry_count!",
  r.max_retries AS "max_retries!", r.timeout_seconds AS "timeout_seconds!", r.created_at AS "created_at!", r.scheduled_at,
  r.started_at, r.completed_at, r.updated_at AS "updated_at!", r.last_error, r.tags::text AS tags, r.parent_job_id,
  coalesce(r.dependency_mode, 'all') AS "dependency_mode!",
  ARRAY(
    SELECT p.key FROM job_dependencies d JOIN workflow_jobs p ON p.job_id = d.depends_on_job_id AND p.workflow_id = m.workflow_id
    WHERE d.job_id = m.job_id ORDER BY p.job_id
  ) AS "depends_on!"
FROM workflow_jobs m
JOIN job_records r ON r.id = m.job_id AND r.organization_id = :organizationId!
WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId! AND (:jobId::uuid IS NULL OR m.job_id = :jobId)
ORDER BY r.id;
