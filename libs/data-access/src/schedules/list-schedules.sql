/* @name listSchedules */
-- Schedules, newest first.
-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
-- schedule of the previous page, null = the first page.
-- Index: schedules_newest.
SELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at FROM schedules
WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  AND (:active::boolean IS NULL OR is_active = :active)
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!;
