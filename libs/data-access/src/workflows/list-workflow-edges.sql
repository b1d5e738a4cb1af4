/* @name listWorkflowEdges */
-- The dependencies of the jobs of a workflow, including those on other jobs: at most :limit of `total`, those within the workflow first.
-- Relies on the primary keys of workflow_jobs and job_dependencies.
SELECT parent_job_id AS "parent_job_id!", child_job_id AS "child_job_id!", total AS "total!" FROM (
  SELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id, count(*) OVER () AS total
  FROM workflow_jobs m
  JOIN job_dependencies d ON d.job_id = m.job_id
  LEFT JOIN workflow_jobs p ON p.workflow_id = m.workflow_id AND p.job_id = d.depends_on_job_id
  WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!
  ORDER BY p.job_id IS NULL, d.depends_on_job_id, d.job_id LIMIT :limit!
) AS edges
ORDER BY parent_job_id, child_job_id;
