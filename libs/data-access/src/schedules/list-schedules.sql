/* @name listSchedules */
-- Schedules, newest first, among the next :rows.
-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
-- schedule of the previous page, null = the first page.
-- Index: schedules_newest.
SELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
FROM (
  SELECT * FROM schedules
  WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) AS next
WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)
ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!;

/* @name findSchedulesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM schedules
WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
