/* @name findJobForTimeline */
-- What a timeline says of its job, and the database's time.
-- :queues that the caller may access, null = all.
SELECT
  id AS "id!", queue_name AS "queue_name!", job_type AS "job_type!", status::job_status AS "status!", priority AS "priority!",
  retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at, started_at,
  completed_at, expires_at, parent_job_id, workflow_id, batch_id, dependencies_met, traceparent, created_by, current_ts(clock_timestamp()) AS "now!"
FROM find_job_v1(:organizationId!, :id!, :queues);
