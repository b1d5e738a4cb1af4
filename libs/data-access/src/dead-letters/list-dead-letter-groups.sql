/* @name listDeadLetterGroups */
-- One page of the groups of the dead letters that :scope and :filter select (matching_dead_letter_groups_v1), with the last 24 hours of
-- each and its newest member as sample. :byCount the largest first, else the one seen last first; :afterCount, :afterTime and :afterId
-- of the last group of the previous page, null = the first page.
-- Relies on dead_letters_groups for the oldest and the newest dead letter of a group. Records are read only for samples.
WITH counted AS MATERIALIZED (
  SELECT group_id, total, first_seen, coalesce(last_seen, (
    SELECT d.dead_at FROM dead_letters d WHERE d.organization_id = :organizationId! AND d.group_id = found.group_id
    ORDER BY d.dead_at DESC, d.job_id DESC LIMIT 1)) AS last_seen
  FROM matching_dead_letter_groups_v1(:organizationId!, :scope!, :filter!) AS found
), page AS MATERIALIZED (
  SELECT * FROM counted
  WHERE :afterTime::timestamptz IS NULL
    OR :byCount! AND (total, last_seen, group_id) < (:afterCount::bigint, :afterTime, :afterId::uuid)
    OR NOT :byCount! AND (last_seen, group_id) < (:afterTime, :afterId::uuid)
  ORDER BY CASE WHEN :byCount! THEN total END DESC, last_seen DESC, group_id DESC
  LIMIT :limit! OFFSET :offset!
)
SELECT
  page.group_id AS "id!", normalized_error_v1(j.last_error) AS "error!", j.job_type AS "job_type!", j.queue_name AS "queue_name!",
  page.total AS "count!", coalesce(page.first_seen, (
    SELECT d.dead_at FROM dead_letters d WHERE d.organization_id = :organizationId! AND d.group_id = page.group_id
    ORDER BY d.dead_at, d.job_id LIMIT 1)) AS "first_seen!", page.last_seen AS "last_seen!",
  j.id AS "sample_id!", j.last_error AS "sample_error?", j.retry_count AS "sample_retry_count!", sample.dead_at AS "sample_dead_at!",
  ARRAY(
    SELECT CASE WHEN page.first_seen IS NULL THEN (
      SELECT coalesce(sum(c.jobs), 0)::integer FROM dead_letter_counts c
      WHERE c.organization_id = :organizationId! AND c.step = 3600 AND c.group_id = page.group_id
        AND c.at = date_trunc('hour', current_ts()) - make_interval(hours => ago))
    ELSE (
      SELECT count(*)::integer FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause' - 'cause_id', 'infinity') AS found
      WHERE group_id = page.group_id
        AND dead_at >= date_trunc('hour', current_ts()) - make_interval(hours => ago)
        AND dead_at < date_trunc('hour', current_ts()) - make_interval(hours => ago - 1))
    END
    FROM generate_series(0, 23) AS ago ORDER BY ago DESC
  ) AS "per_hour!"
FROM page
CROSS JOIN LATERAL (
  SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause' - 'cause_id', 'infinity') AS found
  WHERE group_id = page.group_id
  ORDER BY dead_at DESC, job_id DESC LIMIT 1
) sample
JOIN jobs j ON j.id = sample.job_id
ORDER BY CASE WHEN :byCount! THEN page.total END DESC, page.last_seen DESC, page.group_id DESC;

/* @name listDeadLettersOfGroup */
-- One page of the dead letters that :scope and :filter select, the newest first. Relies on dead_letters_groups.
WITH page AS MATERIALIZED (
  SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, 'infinity')
  ORDER BY dead_at DESC, job_id DESC
  LIMIT :limit! OFFSET :offset!
)
SELECT
  r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
  r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
  r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
FROM page
JOIN job_records r ON r.id = page.job_id AND r.organization_id = :organizationId!
ORDER BY page.dead_at DESC, page.job_id DESC;
