/* @name findCauseReaders */
-- Organizations with a webhook for causes of failures and dead letters that were not looked at yet, those looked at longest ago first.
-- The newest :lagSeconds are left for the next run: their transactions may still be committing. None is looked at again within
-- :pauseSeconds, so that a full batch does not go round.
-- Relies on dead_letters_oldest_deaths.
SELECT w.organization_id AS "organization_id!"
FROM (
  SELECT organization_id FROM outgoing_webhooks
  WHERE enabled AND events && ARRAY['cause.appeared', 'cause.grew', 'cause.omitted'] GROUP BY organization_id
) AS w
LEFT JOIN cause_report_states s USING (organization_id)
WHERE s.organization_id IS NULL OR s.looked_until < current_ts() - make_interval(secs => :lagSeconds!) - make_interval(secs => :pauseSeconds!) AND EXISTS (
  SELECT FROM dead_letters d
  WHERE d.organization_id = w.organization_id AND d.dead_at > s.looked_until
    AND d.dead_at <= current_ts() - make_interval(secs => :lagSeconds!))
ORDER BY s.looked_until NULLS FIRST, w.organization_id LIMIT :limit!;

/* @name deleteCauseReportStates */
-- Of organizations that have no such webhook any more, so that a later one begins at its own time.
DELETE FROM cause_report_states s WHERE NOT EXISTS (
  SELECT FROM outgoing_webhooks w WHERE w.organization_id = s.organization_id AND w.enabled
    AND w.events && ARRAY['cause.appeared', 'cause.grew', 'cause.omitted']);

/* @name beginCauseLook */
-- Locks the state of the organization. At the first look it begins with the webhook, at most :longestMinutes ago.
INSERT INTO cause_report_states AS s (organization_id, started_at, looked_until, hour_began_at)
SELECT :organizationId!, began.at, began.at, current_ts() FROM (
  SELECT greatest(min(w.created_at), current_ts() - make_interval(mins => :longestMinutes!::integer)) AS at
  FROM outgoing_webhooks w WHERE w.organization_id = :organizationId!
    AND w.enabled AND w.events && ARRAY['cause.appeared', 'cause.grew', 'cause.omitted']
) AS began WHERE began.at IS NOT NULL
ON CONFLICT (organization_id) DO UPDATE SET looked_until = s.looked_until
RETURNING s.started_at AS "startedAt", s.looked_until AS "lookedUntil",
  CASE WHEN s.hour_began_at > current_ts() - interval '1 hour' THEN s.hour_began_at ELSE current_ts() END AS "hourBeganAt!",
  CASE WHEN s.hour_began_at > current_ts() - interval '1 hour' THEN s.reported ELSE 0 END AS "reported!",
  CASE WHEN s.hour_began_at > current_ts() - interval '1 hour' THEN s.omitted END AS "omitted?",
  current_ts() - make_interval(secs => :lagSeconds!) AS "until!";

/* @name findCausesToReport */
-- The :most groups with the most dead letters of the last hour or since :lookedUntil, with what decides whether their cause is reported;
-- first those with dead letters since :lookedUntil (`is_seen`). Muted causes are left out. Looks at the newest :scanned dead letters up to :until.
-- Relies on dead_letters_oldest_deaths, and on dead_letters_groups for each group.
WITH recent AS MATERIALIZED (
  SELECT found.group_id, found.queue_name, found.job_id, found.dead_at
  FROM matching_dead_letters_v1(:organizationId!, '{}', '{}', :until!::timestamptz) AS found
  WHERE found.dead_at >= least(:lookedUntil!::timestamptz, current_ts() - interval '1 hour')
  ORDER BY found.dead_at DESC LIMIT :scanned!::integer
), rules AS MATERIALIZED (
  SELECT c.queue_name,
    jsonb_build_object('cause_report_jobs', c.settings -> 'cause_report_jobs',
      'cause_report_minutes', c.settings -> 'cause_report_minutes')::text AS settings,
    CASE WHEN jsonb_typeof(c.settings -> 'cause_report_minutes') = 'number'
      THEN least(60, greatest(1, (c.settings ->> 'cause_report_minutes')::numeric))::integer ELSE 60 END AS minutes
  FROM queue_config c
  WHERE c.organization_id = :organizationId! AND c.settings ?| ARRAY['cause_report_jobs', 'cause_report_minutes']
), counted AS MATERIALIZED (
  SELECT r.group_id, r.queue_name, any_value(rules.settings) AS settings, max(r.dead_at) AS last_seen_at,
    (array_agg(r.job_id ORDER BY r.dead_at DESC))[1] AS job_id,
    count(*) FILTER (WHERE r.dead_at > least(:lookedUntil::timestamptz, current_ts() - make_interval(mins => coalesce(rules.minutes, 60))))::integer AS in_window,
    count(*) FILTER (WHERE r.dead_at >= current_ts() - interval '1 hour')::integer AS last_hour
  FROM recent r LEFT JOIN rules ON rules.queue_name = r.queue_name
  GROUP BY r.group_id, r.queue_name
  ORDER BY max(r.dead_at) > :lookedUntil::timestamptz DESC, count(*) DESC, r.group_id LIMIT :most!::integer
)
SELECT cause.id AS "cause_id!", c.queue_name AS "queue_name!", j.job_type AS "job_type!",
  normalized_error_v1(j.last_error) AS "error!", c.job_id AS "job_id!", left(j.last_error, 500) AS "sample_error?",
  c.settings AS "settings?", c.in_window AS "in_window!", c.last_hour AS "last_hour!", earlier.hour_before AS "hour_before!",
  earlier.oldest AS "since!", earlier.oldest > :startedAt!::timestamptz AS "is_new!", c.last_seen_at AS "last_seen_at!",
  c.last_seen_at > :lookedUntil::timestamptz AS "is_seen!",
  told.jobs AS "reported_jobs?", (extract(epoch FROM current_ts() - told.reported_at) / 3600)::double precision AS "reported_hours_ago?"
FROM counted c
JOIN jobs j ON j.id = c.job_id AND j.organization_id = :organizationId!
-- Once for each group: it takes up to half a millisecond.
CROSS JOIN LATERAL (SELECT dead_letter_cause_v1(j.last_error) AS id OFFSET 0) AS cause
CROSS JOIN LATERAL earlier_dead_letters_v1(:organizationId!, c.group_id, :scanned!::integer) AS earlier
LEFT JOIN reported_causes told ON told.organization_id = :organizationId! AND told.cause_id = cause.id
WHERE NOT EXISTS (
  SELECT FROM cause_mutes m WHERE m.organization_id = :organizationId! AND m.cause_id = cause.id
    AND m.expires_at > current_ts())
ORDER BY c.last_hour DESC, c.group_id;

/* @name endCauseLook */
-- Notes what was looked at and reported, and forgets causes that nothing died of for a day.
WITH forgotten AS (
  DELETE FROM reported_causes WHERE organization_id = :organizationId! AND last_seen_at < current_ts() - interval '1 day'
)
UPDATE cause_report_states SET looked_until = :until!, hour_began_at = :hourBeganAt!, reported = :reported!, omitted = :omitted
WHERE organization_id = :organizationId!;

/* @name noteSeenCauses */
-- Those that were reported before.
UPDATE reported_causes r SET last_seen_at = greatest(r.last_seen_at, s.at)
FROM unnest(:causeIds!::uuid[], :times!::timestamptz[]) AS s(cause_id, at)
WHERE r.organization_id = :organizationId! AND r.cause_id = s.cause_id;

/* @name noteReportedCause */
INSERT INTO reported_causes (organization_id, cause_id, reported_at, jobs, last_seen_at)
VALUES (:organizationId!, :causeId!, current_ts(), :jobs!, :lastSeenAt!)
ON CONFLICT (organization_id, cause_id) DO UPDATE
  SET reported_at = excluded.reported_at, jobs = excluded.jobs, last_seen_at = excluded.last_seen_at;
