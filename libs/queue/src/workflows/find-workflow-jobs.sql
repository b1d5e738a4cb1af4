/* @name lockWorkflow */
-- Cancellations and retries of a workflow take turns, so that each sees the status that the one before has left. Taken before any row: locks
-- on workflows come after those on jobs.
SELECT pg_advisory_xact_lock(hashtextextended('workflow:' || :id!::uuid, 0))::text AS locked;

/* @name findWorkflowJobs */
-- A workflow and its jobs. Relies on: workflows and workflow_jobs primary keys.
SELECT w.status, w.queue_names, ARRAY(SELECT m.job_id FROM workflow_jobs m WHERE m.workflow_id = w.id) AS "job_ids!"
FROM workflows w
WHERE w.organization_id = :organizationId! AND w.id = :id!;
