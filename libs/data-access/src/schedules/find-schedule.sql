/* @name findSchedule */
SELECT
  id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
  timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
FROM schedules
WHERE organization_id = :organizationId! AND id = :id!;

/* @name lockSchedule */
-- Lock order: the schedule before the quota, as in the scheduler.
SELECT
  id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
  timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
FROM schedules
WHERE organization_id = :organizationId! AND id = :id!
FOR NO KEY UPDATE;
