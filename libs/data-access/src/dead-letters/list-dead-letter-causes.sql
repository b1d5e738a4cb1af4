/* @name listDeadLetterCauses */
-- The causes of the dead letters that :scope and :filter select (matching_dead_letter_groups_v1), over queues and job types, at most
-- :limit. :byCount those with the most dead letters first, else those that began last first. Looks at the :scanned largest groups;
-- `groups_left` says how many there are more. `types` has the ten largest groups of each.
-- Relies on dead_letters_groups for the oldest and the newest dead letter of a group, and reads the record of the newest.
WITH largest AS MATERIALIZED (
  SELECT *, count(*) OVER () AS all_groups FROM matching_dead_letter_groups_v1(:organizationId!, :scope!, :filter!) AS found
  ORDER BY total DESC, group_id LIMIT :scanned!
), groups AS MATERIALIZED (
  SELECT g.group_id, g.total, g.all_groups, coalesce(g.first_seen, (
      SELECT d.dead_at FROM dead_letters d WHERE d.organization_id = :organizationId! AND d.group_id = g.group_id
      ORDER BY d.dead_at, d.job_id LIMIT 1)) AS first_seen,
    coalesce(g.last_seen, newest.dead_at) AS last_seen,
    CASE WHEN g.first_seen IS NULL THEN (
      SELECT coalesce(sum(c.jobs), 0) FROM dead_letter_counts c
      WHERE c.organization_id = :organizationId! AND c.step = 60 AND c.group_id = g.group_id
        AND c.at >= date_trunc('minute', current_ts()) - interval '1 hour')
    ELSE (
      SELECT count(*) FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause' - 'cause_id', 'infinity') AS found
      WHERE found.group_id = g.group_id AND found.dead_at >= date_trunc('minute', current_ts()) - interval '1 hour')
    END AS last_hour,
    j.queue_name, j.job_type, normalized_error_v1(j.last_error) AS error, dead_letter_cause_v1(j.last_error) AS cause_id
  FROM largest g CROSS JOIN LATERAL (
    SELECT d.job_id, d.dead_at FROM dead_letters d WHERE d.organization_id = :organizationId! AND d.group_id = g.group_id
    ORDER BY d.dead_at DESC, d.job_id DESC LIMIT 1
  ) AS newest CROSS JOIN LATERAL (
    SELECT o.queue_name, o.job_type, o.last_error FROM jobs o WHERE o.organization_id = :organizationId! AND o.id = newest.job_id OFFSET 0
  ) AS j
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY cause_id ORDER BY total DESC, queue_name, job_type) AS place FROM groups
), causes AS (
  SELECT cause_id, any_value(error) AS error, sum(total)::integer AS total, sum(last_hour)::integer AS last_hour,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, count(*)::integer AS groups,
    count(DISTINCT queue_name)::integer AS queues, any_value(all_groups) AS all_groups,
    json_agg(json_build_object('group_id', group_id, 'queue_name', queue_name, 'job_type', job_type, 'count', total) ORDER BY place)
      FILTER (WHERE place <= 10) AS types
  FROM placed GROUP BY cause_id
)
SELECT causes.cause_id AS "id!", causes.error AS "error!", total AS "count!", last_hour AS "last_hour!", first_seen AS "first_seen!",
  last_seen AS "last_seen!", groups AS "groups!", queues AS "queues!", types AS "types!",
  m.reason AS "mute_reason?", m.created_at AS "muted_at?", m.created_by AS "muted_by?", m.expires_at AS "muted_until?",
  (count(*) OVER ())::integer AS "causes!", greatest(0, all_groups - :scanned!::integer)::integer AS "groups_left!"
FROM causes LEFT JOIN cause_mutes m
  ON m.organization_id = :organizationId! AND m.cause_id = causes.cause_id AND m.expires_at > current_ts(clock_timestamp())
ORDER BY CASE WHEN :byCount! THEN total END DESC, CASE WHEN NOT :byCount! THEN first_seen END DESC, last_seen DESC, causes.cause_id
LIMIT :limit!;
