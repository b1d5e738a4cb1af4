/* @name findSuspectQueues */
-- The queues of an organization that are most likely stalled or failing, at most :most: paused with waiting jobs, without anybody who
-- works on them, with jobs that wait for more than a minute, or with failures; and how many there are in all. Looks at the first :scanned queues with claimable jobs.
-- :queues that the caller may access, null = all.
-- Relies on job_queue_claim, job_queue_leased, workers_organization and the primary keys of series_counters and queue_config; each part
-- is ordered as only the index of the tenant is.
WITH RECURSIVE names AS (
  (
    SELECT queue_name, 1 AS place FROM job_queue
    WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met AND :queues::text[] IS NULL
    ORDER BY queue_name LIMIT 1
  )
  UNION ALL
  SELECT next.queue_name, names.place + 1 FROM names CROSS JOIN LATERAL (
    SELECT q.queue_name FROM job_queue q
    WHERE q.organization_id = :organizationId! AND q.state = 'ready' AND q.dependencies_met AND q.queue_name > names.queue_name
    ORDER BY q.queue_name LIMIT 1
  ) AS next
  WHERE names.place < :scanned!::integer
), listeners AS MATERIALIZED (
  SELECT DISTINCT queue_name FROM (
    SELECT queue_name, status FROM workers WHERE organization_id = :organizationId! ORDER BY last_heartbeat DESC LIMIT 10000
  ) AS latest
  WHERE status = 'healthy'
), waiting AS (
  SELECT n.queue_name, head.waits_since,
    CASE
      WHEN NOT coalesce(c.enabled, true) THEN 3
      WHEN running.jobs = 0 AND l.queue_name IS NULL THEN 2
      WHEN head.waits_since < current_ts() - interval '1 minute' THEN 1
      ELSE 0
    END AS rank
  FROM (SELECT queue_name FROM names UNION ALL SELECT unnest(:queues::text[])) AS n
  CROSS JOIN LATERAL (
    -- As in readQueueState: jobs of a low priority may wait behind others for as long as these come.
    WITH RECURSIVE heads AS (
      (
        SELECT q.priority, coalesce(q.due_at, q.created_at) AS claimable_at FROM job_queue q
        WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'ready' AND q.dependencies_met
        ORDER BY q.priority DESC, q.created_at LIMIT 1
      )
      UNION ALL
      SELECT next.priority, next.claimable_at FROM heads CROSS JOIN LATERAL (
        SELECT q.priority, coalesce(q.due_at, q.created_at) AS claimable_at FROM job_queue q
        WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'ready' AND q.dependencies_met
          AND q.priority < heads.priority
        ORDER BY q.priority DESC, q.created_at LIMIT 1
      ) AS next
    )
    SELECT min(claimable_at) AS waits_since FROM heads HAVING count(*) > 0
  ) AS head
  CROSS JOIN LATERAL (
    SELECT count(*) AS jobs FROM (
      SELECT FROM job_queue q WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'leased'
      ORDER BY q.worker_id LIMIT 1
    ) AS first
  ) AS running
  LEFT JOIN listeners l ON l.queue_name = n.queue_name
  LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = n.queue_name
), failing AS (
  SELECT queue_name, 1 AS rank, current_ts() AS waits_since FROM series_counters
  WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'
    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  GROUP BY queue_name HAVING sum(retried + deadlettered - expired) >= 5
  ORDER BY sum(retried + deadlettered - expired) DESC LIMIT :scanned!::integer
)
SELECT queue_name AS "queue_name!", (SELECT count(*) >= :scanned!::integer FROM names) AS "more!", count(*) OVER () AS "total!"
FROM (
  SELECT queue_name, rank, waits_since FROM waiting WHERE rank > 0
  UNION ALL
  SELECT queue_name, rank, waits_since FROM failing
) AS found
GROUP BY queue_name
ORDER BY max(rank) DESC, min(waits_since), queue_name LIMIT :most!::integer;

/* @name findRecentCauses */
-- The groups with the most dead letters of the last hour, at most :most, with those of the hour before and whether the group is older and its cause muted.
-- Looks at the newest :scanned dead letters of the hour; "is_cut" = there are more.
-- :scope that the caller may use, empty = all.
-- Relies on dead_letters_oldest_deaths, and on dead_letters_groups for each group.
WITH recent AS MATERIALIZED (
  SELECT group_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, '{}', 'infinity') AS found
  WHERE dead_at >= current_ts() - interval '1 hour'
  ORDER BY dead_at DESC LIMIT :scanned!::integer
), counted AS MATERIALIZED (
  SELECT group_id, count(*) AS dead, min(dead_at) AS since FROM recent
  GROUP BY group_id ORDER BY dead DESC, group_id LIMIT :most!::integer
)
SELECT c.group_id AS "group_id!", j.queue_name AS "queue_name!", j.job_type AS "job_type!", normalized_error_v1(j.last_error) AS "error!",
  c.dead AS "last_hour!", earlier.hour_before AS "hour_before!", c.since AS "since!", earlier.oldest >= current_ts() - interval '1 hour' AS "is_new!",
  m.expires_at AS "muted_until?",
  (SELECT count(*) >= :scanned!::integer FROM recent) AS "is_cut!"
FROM counted c
CROSS JOIN LATERAL earlier_dead_letters_v1(:organizationId!, c.group_id, :scanned!::integer) AS earlier
CROSS JOIN LATERAL (
  SELECT d.job_id FROM dead_letters d
  WHERE d.organization_id = :organizationId! AND d.group_id = c.group_id ORDER BY d.dead_at DESC LIMIT 1
) AS newest
JOIN jobs j ON j.id = newest.job_id
LEFT JOIN cause_mutes m
  ON m.organization_id = :organizationId! AND m.cause_id = dead_letter_cause_v1(j.last_error) AND m.expires_at > current_ts(clock_timestamp())
ORDER BY c.dead DESC, c.group_id;

/* @name compareLatencies */
-- Histograms of how long jobs waited and ran, in the last ten minutes and in the full hours of the day before them, of the 50 queues
-- with the most jobs that completed in this hour and the one before.
-- :queues that the caller may access, null = all.
-- Relies on the primary keys of series_counters and queue_series.
WITH busy AS (
  SELECT queue_name FROM series_counters
  WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'
    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  GROUP BY queue_name ORDER BY sum(completed) DESC LIMIT 50
)
SELECT b.queue_name AS "queue_name!", s.is_recent AS "is_recent!", d.is_run AS "is_run!", d.bucket AS "bucket!", sum(d.jobs)::bigint AS "jobs!"
FROM busy b CROSS JOIN LATERAL (
  SELECT true AS is_recent, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series
  WHERE organization_id = :organizationId! AND step = 60 AND queue_name = b.queue_name AND at >= current_ts() - interval '11 minutes'
  UNION ALL
  SELECT false, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series
  WHERE organization_id = :organizationId! AND step = 3600 AND queue_name = b.queue_name AND at >= current_ts() - interval '25 hours'
    AND at < current_ts() - interval '70 minutes'
) AS s CROSS JOIN LATERAL (
  SELECT false AS is_run, w.* FROM unnest(s.wait_buckets, s.wait_jobs) AS w(bucket, jobs)
  UNION ALL
  SELECT true, r.* FROM unnest(s.run_buckets, s.run_jobs) AS r(bucket, jobs)
) AS d
GROUP BY b.queue_name, s.is_recent, d.is_run, d.bucket;

/* @name findSuspectSchedules */
-- Active schedules that are late by more than a minute or whose last run failed, at most :most, among the newest :scanned.
-- :queues that the caller may access, null = all.
-- Relies on schedules_newest and schedule_runs_newest.
SELECT s.id AS "id!", s.name AS "name!", s.queue_name AS "queue_name!", s.next_run_at, r.started_at AS "failed_at?",
  left(r.error_message, 500) AS "error?", coalesce(s.next_run_at < current_ts() - interval '1 minute', false) AS "is_late!",
  count(*) OVER () AS "total!"
FROM (
  SELECT id, name, queue_name, next_run_at, is_active, created_at FROM schedules
  WHERE organization_id = :organizationId! ORDER BY created_at DESC LIMIT :scanned!::integer
) AS s
LEFT JOIN LATERAL (
  SELECT started_at, error_message, status FROM schedule_runs WHERE schedule_id = s.id ORDER BY started_at DESC LIMIT 1
) AS r ON r.status = 'failed'
WHERE s.is_active AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues)) AND (r.status IS NOT NULL OR s.next_run_at < current_ts() - interval '1 minute')
ORDER BY s.next_run_at LIMIT :most!::integer;

/* @name findSuspectWebhooks */
-- Webhooks that were disabled because their receiver failed, and those whose last deliveries all failed or that fail for long, at most :most.
-- Relies on outgoing_webhooks_newest.
SELECT id AS "id!", name AS "name!", enabled AS "enabled!", failure_count AS "failure_count!", last_triggered_at, failing_since,
  coalesce(enabled AND failing_since <= current_ts() - make_interval(secs => :disableAfterSeconds! / 2), false) AS "is_near_end!", count(*) OVER () AS "total!"
FROM outgoing_webhooks
WHERE organization_id = :organizationId! AND (last_status = 'auto_disabled' AND NOT enabled OR enabled AND (failure_count >= 3 OR failing_since < current_ts() - interval '1 hour'))
ORDER BY created_at DESC LIMIT :most!::integer;

/* @name findLastSample */
-- When the scheduler took its last sample; it takes one at least each minute.
SELECT max(at) + interval '10 seconds' AS "at?", coalesce(max(at) < current_ts() - interval '3 minutes', false) AS "is_old!", current_ts() AS "checked_at!"
FROM series_samples WHERE step = 10;
