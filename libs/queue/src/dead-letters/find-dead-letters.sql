/* @name findDeadLetters */
-- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.
SELECT job_id FROM dead_letters d
WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
  AND (:queueName::text IS NULL OR queue_name = :queueName)
  AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
ORDER BY created_at, job_id LIMIT :limit!;

/* @name findStepsBeyondLimit */
-- Those of :ids that are steps of a workflow, if the organization has more than :maxWorkflows workflows.
-- Relies on: workflows_newest, workflow_jobs_job.
SELECT wanted.id AS "id!" FROM unnest(:ids!::uuid[]) AS wanted(id)
WHERE EXISTS (SELECT FROM workflow_jobs m WHERE m.job_id = wanted.id AND m.organization_id = :organizationId!)
  AND (SELECT count(*) FROM workflows WHERE organization_id = :organizationId!) > :maxWorkflows!::int;
