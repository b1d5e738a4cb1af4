/* @name findWorkflowJobs */
-- A workflow and its jobs. Relies on: workflows and workflow_jobs primary keys.
SELECT w.status, w.queue_names, ARRAY(SELECT m.job_id FROM workflow_jobs m WHERE m.workflow_id = w.id) AS "job_ids!"
FROM workflows w
WHERE w.organization_id = :organizationId! AND w.id = :id!;
