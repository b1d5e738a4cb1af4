/* @name listSchedules */
-- Schedules, newest first, among the next :rows.
-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
-- schedule of the previous page, null = the first page.
-- found: the schedules of the page; of these as many are returned as have :maxBytes of documents, and at least one.
-- Index: schedules_newest.
WITH RECURSIVE page AS MATERIALIZED (
  SELECT * FROM (
    SELECT * FROM schedules
    WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
    ORDER BY created_at DESC, id DESC LIMIT :rows!
  ) AS next
  WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)
  ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
), numbered AS MATERIALIZED (
  SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page
), sized AS (
  -- Row by row, because a sum over all rows would read each document.
  SELECT 1::bigint AS place, 0::bigint AS bytes_before
  UNION ALL
  SELECT s.place + 1, s.bytes_before + octet_length(n.payload_template::text) + coalesce(octet_length(n.tags::text), 0)
    + coalesce(octet_length(n.metadata::text), 0) + coalesce(octet_length(n.settings::text), 0)
  FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!
)
SELECT id AS "id!", organization_id AS "organization_id!", name AS "name!", description, cron_expression AS "cron_expression!",
  timezone AS "timezone!", queue_name AS "queue_name!", payload_template AS "payload_template!", priority AS "priority!",
  max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", is_active AS "is_active!", last_run_at, next_run_at,
  run_count AS "run_count!", tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at AS "created_at!",
  updated_at AS "updated_at!", found AS "found!"
FROM numbered n JOIN sized s ON s.place = n.place
WHERE s.bytes_before < :maxBytes!
ORDER BY created_at DESC, id DESC;

/* @name findSchedulesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM schedules
WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
