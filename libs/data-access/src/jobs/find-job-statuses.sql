/* @name findJobStatuses */
-- Statuses of jobs in the order of :ids; unknown ids are omitted.
-- :queues that the caller may access, null = all.
-- Relies on the primary key of jobs.
SELECT
  id AS "id!", status::job_status AS "status!", queue_name AS "queue_name!", retry_count AS "retry_count!",
  created_at AS "created_at!", completed_at
FROM job_records
WHERE organization_id = :organizationId! AND id = ANY (:ids!::uuid[]) AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
ORDER BY array_position(:ids!::uuid[], id);
