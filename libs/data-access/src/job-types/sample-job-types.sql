/* @name listTypesOfQueues */
-- The job types of queues, at most :most of all. Index entries of one job of each are read, not those of all.
-- :queues the queues that the caller may access, null = all.
-- Relies on jobs_of_type, whose condition it repeats, and the primary key of queues.
WITH RECURSIVE types AS (
  SELECT q.queue_name, first.job_type FROM queues q CROSS JOIN LATERAL (
    SELECT j.job_type FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name = q.queue_name AND j.queue_name >= ''
    ORDER BY j.queue_name, j.job_type LIMIT 1
  ) AS first
  WHERE q.organization_id = :organizationId! AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
  UNION ALL
  SELECT types.queue_name, next.job_type FROM types CROSS JOIN LATERAL (
    SELECT j.job_type FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name = types.queue_name AND j.queue_name >= '' AND j.job_type > types.job_type
    ORDER BY j.queue_name, j.job_type LIMIT 1
  ) AS next
)
-- The recursion ends with the limit.
SELECT queue_name AS "queue_name!", job_type AS "job_type!" FROM types LIMIT :most!::integer;

/* @name sampleJobTypes */
-- What became of the newest jobs of each type of a queue: the newest :perType of each that were created in the last :minutes.
-- :queueNames, :jobTypes the types, in pairs. null: the newest :perType jobs of the organization are looked at, of whichever queue and
-- type. :queues the queues that the caller may access, null = all. :most types are returned, those with the most jobs.
-- Attempts that failed are those of job_history: the record and the live row forget them when the job is retried by hand.
-- Relies on jobs_of_type and jobs_newest, whose conditions it repeats, job_history_job, and the primary key of workers.
WITH clock AS (
  SELECT current_ts() AS until, current_ts() - make_interval(mins => :minutes!::integer) AS since
), of_types AS (
  SELECT j.*, count(*) OVER (PARTITION BY j.queue_name, j.job_type) AS found
  FROM clock CROSS JOIN unnest(:queueNames::text[], :jobTypes::text[]) AS t (queue_name, job_type) CROSS JOIN LATERAL (
    SELECT o.id, o.queue_name, o.job_type, o.created_at, o.scheduled_at, o.started_at, o.completed_at, o.outcome, o.retry_count,
      o.assigned_worker_id
    FROM jobs o
    WHERE o.organization_id = :organizationId! AND o.queue_name = t.queue_name AND o.queue_name >= '' AND o.job_type = t.job_type
      AND o.created_at > clock.since
    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
  ) AS j
), of_all AS (
  SELECT j.*, count(*) OVER () AS found FROM clock CROSS JOIN LATERAL (
    SELECT o.id, o.queue_name, o.job_type, o.created_at, o.scheduled_at, o.started_at, o.completed_at, o.outcome, o.retry_count,
      o.assigned_worker_id
    FROM jobs o
    WHERE :jobTypes::text[] IS NULL AND o.organization_id = :organizationId! AND o.created_at > '-infinity' AND o.created_at > clock.since
    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
  ) AS j
), looked_at AS MATERIALIZED (
  SELECT *, min(created_at) OVER (PARTITION BY queue_name, job_type) AS oldest FROM of_types
  UNION ALL
  SELECT *, min(created_at) OVER () AS oldest FROM of_all
), sample AS MATERIALIZED (
  SELECT l.*, CASE WHEN l.found >= :perType!::integer THEN greatest(l.oldest, clock.since) ELSE clock.since END AS since,
    l.found >= :perType!::integer AS is_cut, clock.until,
    -- Of the last twelfth is 11.
    least(11, floor(12 * extract(epoch FROM l.created_at - clock.since) / (60 * :minutes!::integer)))::integer AS place
  FROM clock CROSS JOIN looked_at l
  WHERE (:queues::text[] IS NULL OR l.queue_name = ANY (:queues)) AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = l.queue_name AND l.created_at <= x.deleted_until)
), ranked AS MATERIALIZED (
  SELECT *, dense_rank() OVER (ORDER BY jobs DESC, queue_name, job_type) AS place_of_type
  FROM (SELECT *, count(*) OVER (PARTITION BY queue_name, job_type) AS jobs FROM sample) AS counted
), shown AS MATERIALIZED (
  -- Joins by type are nested loops: with those of ten thousand types they took 17 s.
  SELECT * FROM ranked WHERE place_of_type <= :most!::integer
), failures AS MATERIALIZED (
  SELECT s.queue_name, s.job_type, s.place, h.at, h.worker_id FROM shown s CROSS JOIN LATERAL (
    SELECT o.at, o.worker_id FROM job_history o
    -- No attempt failed before its job was created, so older partitions are left out; the hour is for clocks that differ.
    WHERE o.organization_id = :organizationId! AND o.job_id = s.id AND o.event IN ('failed', 'timeout', 'lease_expired', 'worker_lost')
      AND o.id > uuid_at(current_ts(statement_timestamp()) - make_interval(mins => 60 + :minutes!::integer))
    -- Each job is looked up. A join may read the history of all organizations.
    OFFSET 0
  ) AS h
), jobs_by_type AS (
  SELECT queue_name, job_type, any_value(since) AS since, bool_or(is_cut) AS is_cut, count(*) AS created,
    count(*) FILTER (WHERE outcome = 'completed') AS completed, count(*) FILTER (WHERE outcome IN ('deadletter', 'failed')) AS dead_lettered,
    count(*) FILTER (WHERE outcome = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE created_at > until - interval '1 minute') AS created_minute,
    count(*) FILTER (WHERE outcome = 'completed' AND completed_at > until - interval '1 minute') AS completed_minute,
    -- A retry overwrites when the job became claimable, so waits are those of first attempts.
    percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (
      ORDER BY greatest(0, extract(epoch FROM started_at - greatest(created_at, scheduled_at)) * 1000)::double precision
    ) FILTER (WHERE outcome = 'completed' AND retry_count = 0) AS wait_ms,
    count(*) FILTER (WHERE outcome = 'completed' AND retry_count = 0) AS waits,
    percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (
      ORDER BY (extract(epoch FROM completed_at - started_at) * 1000)::double precision
    ) FILTER (WHERE outcome = 'completed') AS run_ms
  FROM shown GROUP BY queue_name, job_type
), failures_by_type AS (
  SELECT f.queue_name, f.job_type, count(*) AS failed, count(*) FILTER (WHERE f.at > clock.until - interval '1 minute') AS failed_minute
  FROM clock CROSS JOIN failures f GROUP BY f.queue_name, f.job_type
), ends AS (
  SELECT queue_name, job_type, place, assigned_worker_id AS worker_id, 1 AS completed, 0 AS failed,
    extract(epoch FROM completed_at - started_at) * 1000 AS run_ms
  FROM shown WHERE outcome = 'completed'
  UNION ALL
  SELECT queue_name, job_type, place, worker_id, 0, 1, NULL FROM failures
), by_place AS (
  SELECT queue_name, job_type, place, sum(created) AS created, sum(completed) AS completed, sum(failed) AS failed
  FROM (
    SELECT queue_name, job_type, place, 1 AS created, 0 AS completed, 0 AS failed FROM shown
    UNION ALL
    SELECT queue_name, job_type, place, 0, completed, failed FROM ends
  ) AS parts
  GROUP BY queue_name, job_type, place
), trends AS (
  SELECT queue_name, job_type,
    json_agg(json_build_object('place', place, 'created', created, 'completed', completed, 'failed', failed) ORDER BY place) AS trend
  FROM by_place GROUP BY queue_name, job_type
), ends_by_version AS (
  SELECT e.queue_name, e.job_type, w.version, sum(e.completed) AS completed, sum(e.failed) AS failed,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY e.run_ms::double precision) AS p95,
    row_number() OVER (PARTITION BY e.queue_name, e.job_type ORDER BY count(*) DESC, w.version) AS place
  FROM ends e LEFT JOIN workers w ON w.organization_id = :organizationId! AND w.id = e.worker_id
  GROUP BY e.queue_name, e.job_type, w.version
), versions AS (
  SELECT queue_name, job_type,
    json_agg(json_build_object('version', version, 'completed', completed, 'failed', failed, 'run_p95_ms', p95) ORDER BY place) AS versions
  FROM ends_by_version WHERE place <= :versions!::integer GROUP BY queue_name, job_type
)
SELECT t.queue_name AS "queue_name!", t.job_type AS "job_type!", t.since AS "since!",
  t.is_cut AS "is_cut!", t.created::integer AS "created!", t.completed::integer AS "completed!", t.dead_lettered::integer AS "dead_lettered!",
  t.cancelled::integer AS "cancelled!", coalesce(f.failed, 0)::integer AS "failed!", t.created_minute::integer AS "created_minute!",
  t.completed_minute::integer AS "completed_minute!", coalesce(f.failed_minute, 0)::integer AS "failed_minute!", t.wait_ms, t.run_ms,
  t.waits::integer AS "waits!", (SELECT max(place_of_type) FROM ranked)::integer AS "types!",
  coalesce(v.versions, '[]') AS "versions!", r.trend AS "trend!"
FROM jobs_by_type t
LEFT JOIN failures_by_type f USING (queue_name, job_type)
LEFT JOIN versions v USING (queue_name, job_type)
JOIN trends r USING (queue_name, job_type)
ORDER BY t.created DESC, t.queue_name, t.job_type;
