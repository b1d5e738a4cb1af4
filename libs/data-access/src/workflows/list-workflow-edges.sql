/* @name listWorkflowEdges */
-- The dependencies of the jobs of a workflow, including those on other jobs.
-- Relies on the primary keys of workflow_jobs and job_dependencies.
SELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id
FROM workflow_jobs m
JOIN job_dependencies d ON d.job_id = m.job_id
WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!
ORDER BY d.depends_on_job_id, d.job_id;
