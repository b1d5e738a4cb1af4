/* @name updateSchedule */
-- The row must be locked by the transaction. Parameters have the names of the columns.
UPDATE schedules SET
  name = :name!, description = :description, cron_expression = :cron_expression!, timezone = :timezone!, queue_name = :queue_name!,
  payload_template = :payload_template!, priority = :priority!,
  max_retries = :max_retries!, timeout_seconds = :timeout_seconds!, is_active = :is_active!, tags = :tags, metadata = :metadata, settings = :settings,
    next_run_at = :next_run_at,
  -- Always increases, even within one transaction: the scheduler detects changes by it.
  updated_at = greatest(current_ts(), updated_at + interval '1 microsecond')
WHERE organization_id = :organizationId! AND id = :id!
RETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at;
