/* @name listThrottles */
-- The throttles of the current organization that hold, the newest first. :queues that the caller may access, null = all; of a throttle
-- without a queue all are needed. Relies on: throttles_organization.
SELECT t.id, t.api_key_id, k.name AS "api_key_name?", t.queue_name, t.tag_name, t.tag_value, t.per_second, t.created_at, t.created_by,
  t.expires_at, (extract(epoch FROM t.expires_at - current_ts(clock_timestamp())) * 1000)::double precision AS "ms_left!"
FROM throttles t LEFT JOIN api_keys k ON k.id = t.api_key_id
WHERE t.organization_id = current_organization() AND t.expires_at > current_ts(clock_timestamp())
  AND (:queues::text[] IS NULL OR t.queue_name = ANY (:queues))
ORDER BY t.created_at DESC, t.id DESC;

/* @name readThrottleBounds */
-- How many throttles hold, and whether the key exists.
SELECT
  (SELECT count(*) FROM throttles
    WHERE organization_id = current_organization() AND expires_at > current_ts(clock_timestamp())) AS "active!",
  EXISTS (SELECT FROM api_keys WHERE organization_id = current_organization() AND id = :apiKeyId::uuid) AS "has_key!";

/* @name createThrottle */
-- Those that have expired go with it.
WITH expired AS (
  DELETE FROM throttles WHERE organization_id = current_organization() AND expires_at <= current_ts(clock_timestamp())
)
INSERT INTO throttles (organization_id, api_key_id, queue_name, tag_name, tag_value, per_second, created_by, expires_at)
VALUES (current_organization(), :apiKeyId::uuid, :queueName, :tagName, :tagValue, :perSecond!, :createdBy,
  current_ts(clock_timestamp()) + make_interval(secs => :seconds!))
RETURNING id;

/* @name deleteThrottle */
-- No row: none of this id holds in the :queues that the caller may access, null = all.
DELETE FROM throttles
WHERE organization_id = current_organization() AND id = :id! AND expires_at > current_ts(clock_timestamp())
  AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
RETURNING id;

/* @name countCreatedBySecond */
-- Of the newest :most jobs that were created in the last :minutes: those that a throttle would count, by second of the period that is known.
-- :apiKeyId, :queueName, :tagName and :tagValue null = any. Relies on jobs_newest, whose condition it repeats.
WITH clock AS (
  SELECT current_ts() AS until, current_ts() - make_interval(mins => :minutes!::integer) AS since
), looked_at AS MATERIALIZED (
  SELECT j.* FROM clock CROSS JOIN LATERAL (
    SELECT o.created_at, o.queue_name, o.created_by, o.tags FROM jobs o
    WHERE o.organization_id = current_organization() AND o.created_at > '-infinity' AND o.created_at > clock.since
    ORDER BY o.created_at DESC, o.id DESC LIMIT :most!::integer
  ) AS j
), covered AS MATERIALIZED (
  SELECT clock.until, CASE WHEN cut.found >= :most!::integer THEN cut.oldest ELSE clock.since END AS since, cut.found >= :most!::integer AS is_cut
  FROM clock CROSS JOIN (SELECT count(*) AS found, min(created_at) AS oldest FROM looked_at) AS cut
), counts AS (
  SELECT floor(extract(epoch FROM l.created_at - c.since))::integer AS second, count(*)::integer AS jobs
  FROM looked_at l CROSS JOIN covered c
  WHERE l.created_at >= c.since AND (:queueName::text IS NULL OR l.queue_name = :queueName)
    AND (:apiKeyId::uuid IS NULL OR starts_with(l.created_by || ' ', 'key ' || :apiKeyId::uuid::text || ' '))
    AND (:tagName::text IS NULL OR CASE WHEN :tagValue::text IS NULL THEN l.tags ? :tagName ELSE l.tags ->> :tagName = :tagValue END)
  GROUP BY 1
)
SELECT c.since AS "since!", c.until AS "until!", c.is_cut AS "is_cut!",
  (SELECT coalesce(json_agg(x), '[]') FROM counts x) AS "counts!"
FROM covered c;
