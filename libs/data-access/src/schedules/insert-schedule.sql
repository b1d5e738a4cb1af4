/* @name insertSchedule */
-- Parameters have the names of the columns.
INSERT INTO schedules (
  organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
  timeout_seconds, is_active, tags, metadata, settings, next_run_at)
VALUES (
  :organizationId!, :id!, :name!, :description, :cron_expression!, :timezone!, :queue_name!,
  :payload_template!, :priority!, :max_retries!, :timeout_seconds!, :is_active!, :tags, :metadata, :settings, :next_run_at)
RETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at;
