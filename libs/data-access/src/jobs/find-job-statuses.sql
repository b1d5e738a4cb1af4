/* @name findJobStatuses */
-- Statuses of jobs in the order of :ids; unknown ids are omitted.
-- :queues that the caller may access, null = all.
SELECT
  id AS "id!", status::job_status AS "status!", queue_name AS "queue_name!", retry_count AS "retry_count!", retry_count AS "attempt!",
  max_retries AS "max_retries!",
  created_at AS "created_at!", completed_at
FROM find_job_summaries_v1(:organizationId!, :ids!, :queues)
ORDER BY array_position(:ids!::uuid[], id);
