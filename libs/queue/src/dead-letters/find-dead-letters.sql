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
-- Relies on: workflows_newest, primary key of jobs.
SELECT j.id AS "id!" FROM unnest(:ids!::uuid[]) AS wanted(id)
CROSS JOIN LATERAL (SELECT id, workflow_id FROM jobs WHERE id = wanted.id OFFSET 0) AS j
WHERE j.workflow_id IS NOT NULL
  AND (SELECT count(*) FROM workflows WHERE organization_id = :organizationId!) > :maxWorkflows!::int;
