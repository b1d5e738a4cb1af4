/* @name lockSamples */
-- Samples are taken one after the other: two that begin in different ten seconds would count the same difference twice.
SELECT pg_advisory_xact_lock(hashtextextended('sample series', 0)) AS done;

/* @name beginSample */
-- Begins the sample at the last full ten seconds; no row if it exists. Counts are known since the sample before, unless that is older
-- than five minutes: the counters of its hour may then no longer be the ones that were compared.
-- Relies on the primary key of series_samples.
WITH clock AS (
  SELECT date_bin('10 seconds', current_ts(), 'epoch') AS boundary
), previous AS (
  SELECT max(at) + interval '10 seconds' AS boundary FROM series_samples WHERE step = 10
)
INSERT INTO series_samples (step, at, counted_from, counted_to, counted_seconds, has_depth)
SELECT 10, c.boundary - interval '10 seconds', f.counted_from, c.boundary, extract(epoch FROM c.boundary - f.counted_from)::integer, true
FROM clock c CROSS JOIN previous p CROSS JOIN LATERAL (
  SELECT CASE WHEN p.boundary > c.boundary - interval '5 minutes' THEN p.boundary ELSE c.boundary END AS counted_from
) AS f
WHERE p.boundary IS NULL OR p.boundary < c.boundary
ON CONFLICT DO NOTHING
RETURNING at AS "at!", CASE WHEN counted_seconds > 0 THEN counted_from - interval '10 seconds' END AS "previous_at?";

/* @name msToNextSample */
-- Milliseconds to the next full :seconds.
SELECT ceil(extract(epoch FROM date_bin(make_interval(secs => :seconds!), current_ts(), 'epoch') + make_interval(secs => :seconds!)
  - current_ts(clock_timestamp())) * 1000)::double precision AS "ms!";

/* @name sampleSeries */
-- Writes the rows of one sample: what has been counted since the last one, and the live jobs. A queue gets a row when something was
-- counted, when jobs run or ran at the sample before, and each full minute while it has live jobs, or until the next one if the sample of
-- the last was missed; the :most busiest of each organization. The organization gets a row with any of its queues.
-- :previousAt the sample before; null: none is known, so that the counters are only noted.
-- Takes away what processes have measured of waits and run times, and adds it up by queue and by organization.
-- Relies on count_live_jobs_v1, job_stats_oldest and the primary keys of series_counters and queue_series.
WITH totals AS (
  SELECT organization_id, queue_name, hour, sum(created)::bigint AS created, sum(completed)::bigint AS completed,
    sum(retried)::bigint AS retried, sum(deadlettered)::bigint AS deadlettered, sum(expired)::bigint AS expired,
    sum(cancelled)::bigint AS cancelled, sum(wait_ms)::bigint AS wait_ms, sum(run_ms)::bigint AS run_ms
  -- Transactions that began before the hour count for the one before.
  FROM job_stats WHERE slot >= 0 AND hour >= date_trunc('hour', current_ts() - interval '5 minutes')
  GROUP BY organization_id, queue_name, hour
), changed AS MATERIALIZED (
  SELECT t.*, c.hour IS NOT NULL AND t.created >= c.created AND t.completed >= c.completed AND t.retried >= c.retried
      AND t.deadlettered >= c.deadlettered AND t.expired >= c.expired AND t.cancelled >= c.cancelled AND t.wait_ms >= c.wait_ms AND t.run_ms >= c.run_ms
      -- Else the queue was deleted, and its counters with it.
      AS goes_on,
    c.created AS created_before, c.completed AS completed_before, c.retried AS retried_before, c.deadlettered AS deadlettered_before,
    c.expired AS expired_before, c.cancelled AS cancelled_before, c.wait_ms AS wait_ms_before, c.run_ms AS run_ms_before
  FROM totals t LEFT JOIN series_counters c USING (organization_id, queue_name, hour)
  WHERE c.hour IS NULL OR (t.created, t.completed, t.retried, t.deadlettered, t.cancelled)
    IS DISTINCT FROM (c.created, c.completed, c.retried, c.deadlettered, c.cancelled)
), noted AS (
  INSERT INTO series_counters AS c (
    organization_id, queue_name, hour, created, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms)
  SELECT organization_id, queue_name, hour, created, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms FROM changed
  ON CONFLICT (organization_id, queue_name, hour) DO UPDATE SET
    created = excluded.created, completed = excluded.completed, retried = excluded.retried, deadlettered = excluded.deadlettered,
    expired = excluded.expired, cancelled = excluded.cancelled, wait_ms = excluded.wait_ms, run_ms = excluded.run_ms
), counted AS (
  SELECT organization_id, queue_name,
    sum(created - CASE WHEN goes_on THEN created_before ELSE 0 END)::integer AS created,
    sum(completed - CASE WHEN goes_on THEN completed_before ELSE 0 END)::integer AS completed,
    sum(retried - CASE WHEN goes_on THEN retried_before ELSE 0 END)::integer AS retried,
    sum(deadlettered - CASE WHEN goes_on THEN deadlettered_before ELSE 0 END)::integer AS deadlettered,
    sum(expired - CASE WHEN goes_on THEN expired_before ELSE 0 END)::integer AS expired,
    sum(cancelled - CASE WHEN goes_on THEN cancelled_before ELSE 0 END)::integer AS cancelled,
    sum(wait_ms - CASE WHEN goes_on THEN wait_ms_before ELSE 0 END)::bigint AS wait_ms,
    sum(run_ms - CASE WHEN goes_on THEN run_ms_before ELSE 0 END)::bigint AS run_ms
  FROM changed WHERE :previousAt::timestamptz IS NOT NULL
  GROUP BY organization_id, queue_name
), minute AS (
  SELECT extract(second FROM :at!::timestamptz) = 50 OR NOT EXISTS (
    SELECT FROM series_samples WHERE step = 10 AND at = date_trunc('minute', :at!::timestamptz) - interval '10 seconds') AS needs_all
), live AS (
  SELECT organization_id, queue_name, pending::integer AS pending, scheduled::integer AS scheduled, processing::integer AS processing, oldest
  FROM count_live_jobs_v1(true)
), shown AS (
  SELECT l.* FROM live l WHERE NOT EXISTS (
    SELECT FROM queue_deletions d
    WHERE d.organization_id = l.organization_id AND d.queue_name = l.queue_name AND d.has_live_jobs)
), taken AS (
  DELETE FROM latency_counts RETURNING id, organization_id, queue_name, wait_buckets, wait_jobs, run_buckets, run_jobs
), recent AS (
  -- What waited longer was measured before the sampler was away.
  SELECT * FROM taken WHERE id > uuidv7(interval '-2 minutes')
), durations AS (
  SELECT t.organization_id, t.queue_name, false AS is_run, d.bucket, d.jobs
  FROM recent t CROSS JOIN LATERAL unnest(t.wait_buckets, t.wait_jobs) AS d(bucket, jobs)
  UNION ALL
  SELECT t.organization_id, t.queue_name, true, d.bucket, d.jobs
  FROM recent t CROSS JOIN LATERAL unnest(t.run_buckets, t.run_jobs) AS d(bucket, jobs)
), buckets AS (
  SELECT organization_id, coalesce(queue_name, '') AS queue_name, is_run, bucket, sum(jobs)::integer AS jobs FROM durations
  GROUP BY GROUPING SETS ((organization_id, queue_name, is_run, bucket), (organization_id, is_run, bucket))
), latencies AS MATERIALIZED (
  SELECT organization_id, queue_name,
    array_agg(bucket ORDER BY bucket) FILTER (WHERE NOT is_run) AS wait_buckets, array_agg(jobs ORDER BY bucket) FILTER (WHERE NOT is_run) AS wait_jobs,
    array_agg(bucket ORDER BY bucket) FILTER (WHERE is_run) AS run_buckets, array_agg(jobs ORDER BY bucket) FILTER (WHERE is_run) AS run_jobs
  FROM buckets GROUP BY organization_id, queue_name
), queue_rows AS (
  SELECT organization_id, queue_name,
    coalesce(c.created, 0) AS created, coalesce(c.completed, 0) AS completed, coalesce(c.retried, 0) AS retried,
    coalesce(c.deadlettered, 0) AS deadlettered, coalesce(c.expired, 0) AS expired, coalesce(c.cancelled, 0) AS cancelled,
    coalesce(c.wait_ms, 0) AS wait_ms, coalesce(c.run_ms, 0) AS run_ms,
    coalesce(l.pending, 0) AS pending, coalesce(l.scheduled, 0) AS scheduled, coalesce(l.processing, 0) AS processing,
    coalesce(greatest(0, extract(epoch FROM current_ts() - l.oldest) * 1000), 0)::bigint AS oldest_ms,
    coalesce(p.processing, 0) AS processing_before,
    c.organization_id IS NOT NULL OR m.queue_name IS NOT NULL OR coalesce(l.processing, 0) > 0 OR coalesce(p.processing, 0) > 0
      OR (SELECT needs_all FROM minute) AS is_due,
    m.wait_buckets, m.wait_jobs, m.run_buckets, m.run_jobs
  FROM shown l FULL JOIN counted c USING (organization_id, queue_name)
  -- Measurements may come later than the counters and the live jobs that they belong to.
  FULL JOIN (SELECT * FROM latencies WHERE queue_name <> '') AS m USING (organization_id, queue_name) AS k
  LEFT JOIN LATERAL (
    SELECT q.processing FROM queue_series q
    WHERE q.organization_id = k.organization_id AND q.step = 10 AND q.queue_name = k.queue_name AND q.at = :previousAt::timestamptz
  ) AS p ON true
), ranked AS (
  SELECT *,
    -- Every attempt that ended began; those that were released or cancelled while they ran are not counted.
    CASE WHEN :previousAt::timestamptz IS NOT NULL
      THEN greatest(0, processing - processing_before + completed + retried + deadlettered - expired) ELSE 0 END AS started,
    row_number() OVER (
      PARTITION BY organization_id ORDER BY is_due DESC, created + completed + retried + deadlettered DESC, pending + processing DESC, queue_name
    ) AS place
  FROM queue_rows
), written AS (
  INSERT INTO queue_series (
    organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms, pending,
    scheduled, processing, oldest_ms, left_out, wait_buckets, wait_jobs, run_buckets, run_jobs)
  SELECT organization_id, 10, queue_name, :at!::timestamptz, created, started, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms,
    pending,
    scheduled, processing, oldest_ms, 0, coalesce(wait_buckets, '{}'), coalesce(wait_jobs, '{}'),
    coalesce(run_buckets, '{}'), coalesce(run_jobs, '{}')
  FROM ranked WHERE is_due AND place <= :most!::integer
  UNION ALL
  SELECT r.organization_id, 10, '', :at!::timestamptz, sum(created)::integer, sum(started)::integer, sum(completed)::integer, sum(retried)::integer,
    sum(deadlettered)::integer, sum(expired)::integer, sum(cancelled)::integer, sum(wait_ms)::bigint, sum(run_ms)::bigint, sum(pending)::integer,
    sum(scheduled)::integer, sum(processing)::integer, max(oldest_ms), count(*) FILTER (WHERE is_due AND place > :most!::integer)::integer,
    coalesce(any_value(a.wait_buckets), '{}'), coalesce(any_value(a.wait_jobs), '{}'), coalesce(any_value(a.run_buckets), '{}'),
    coalesce(any_value(a.run_jobs), '{}')
  FROM ranked r LEFT JOIN latencies a ON a.organization_id = r.organization_id AND a.queue_name = ''
  GROUP BY r.organization_id HAVING bool_or(is_due)
  ON CONFLICT DO NOTHING
  RETURNING 1
)
SELECT count(*) AS "rows!" FROM written;

/* @name rollUpSeries */
-- Adds up the rows of one :from step into those of the next longer one, the oldest missing step first, and as many as :most. A step
-- of a queue that was left out of some of its samples is left out as well.
-- Relies on queue_series_oldest and the primary key of series_samples.
WITH bounds AS (
  SELECT
    (SELECT max(at) + make_interval(secs => :from!::integer) FROM series_samples WHERE step = :from!::integer) AS sampled_to,
    (SELECT max(at) + make_interval(secs => :to!::integer) FROM series_samples WHERE step = :to!::integer) AS rolled_to,
    (SELECT min(at) FROM series_samples WHERE step = :from!::integer) AS sampled_from
), due AS MATERIALIZED (
  SELECT b.at, b.at + make_interval(secs => :to!::integer) AS until FROM bounds CROSS JOIN LATERAL (
    SELECT DISTINCT date_bin(make_interval(secs => :to!::integer), s.at, 'epoch') AS at FROM series_samples s
    WHERE s.step = :from!::integer AND s.at >= coalesce(bounds.rolled_to, bounds.sampled_from)
  ) AS b
  WHERE b.at + make_interval(secs => :to!::integer) <= bounds.sampled_to
  ORDER BY 1 LIMIT :most!::integer
), marked AS (
  INSERT INTO series_samples (step, at, counted_from, counted_to, counted_seconds, has_depth)
  SELECT :to!::integer, d.at, min(s.counted_from), max(s.counted_to), sum(s.counted_seconds)::integer,
    coalesce(bool_or(s.has_depth) FILTER (WHERE s.at = d.until - make_interval(secs => :from!::integer)), false)
  FROM due d JOIN series_samples s ON s.step = :from!::integer AND s.at >= d.at AND s.at < d.until
  GROUP BY d.at
  ON CONFLICT DO NOTHING
), parts AS (
  SELECT d.at AS begins, s.at = d.until - make_interval(secs => :from!::integer) AS is_last, s.*,
    max(s.left_out) OVER (PARTITION BY s.organization_id, s.at) > 0 AS is_limited
  FROM due d JOIN queue_series s ON s.step = :from!::integer AND s.at >= d.at AND s.at < d.until
), summed AS (
  SELECT organization_id, begins, queue_name, sum(created)::integer AS created, sum(started)::integer AS started,
    sum(completed)::integer AS completed, sum(retried)::integer AS retried, sum(deadlettered)::integer AS deadlettered,
    sum(expired)::integer AS expired, sum(cancelled)::integer AS cancelled, sum(wait_ms)::bigint AS wait_ms, sum(run_ms)::bigint AS run_ms,
    coalesce(max(pending) FILTER (WHERE is_last), 0) AS pending, coalesce(max(scheduled) FILTER (WHERE is_last), 0) AS scheduled,
    coalesce(max(processing) FILTER (WHERE is_last), 0) AS processing, max(oldest_ms) AS oldest_ms, max(left_out) AS left_out,
    count(*) FILTER (WHERE is_limited) AS limited
  FROM parts GROUP BY organization_id, begins, queue_name
), durations AS (
  SELECT p.organization_id, p.begins, p.queue_name, false AS is_run, d.bucket, d.jobs
  FROM parts p CROSS JOIN LATERAL unnest(p.wait_buckets, p.wait_jobs) AS d(bucket, jobs)
  UNION ALL
  SELECT p.organization_id, p.begins, p.queue_name, true, d.bucket, d.jobs
  FROM parts p CROSS JOIN LATERAL unnest(p.run_buckets, p.run_jobs) AS d(bucket, jobs)
), buckets AS (
  SELECT organization_id, begins, queue_name, is_run, bucket, sum(jobs)::integer AS jobs FROM durations
  GROUP BY organization_id, begins, queue_name, is_run, bucket
), latencies AS (
  SELECT organization_id, begins, queue_name,
    array_agg(bucket ORDER BY bucket) FILTER (WHERE NOT is_run) AS wait_buckets, array_agg(jobs ORDER BY bucket) FILTER (WHERE NOT is_run) AS wait_jobs,
    array_agg(bucket ORDER BY bucket) FILTER (WHERE is_run) AS run_buckets, array_agg(jobs ORDER BY bucket) FILTER (WHERE is_run) AS run_jobs
  FROM buckets GROUP BY organization_id, begins, queue_name
), complete AS (
  SELECT *, max(limited) FILTER (WHERE queue_name = '') OVER (PARTITION BY organization_id, begins) AS most_limited FROM summed
), written AS (
  INSERT INTO queue_series (
    organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms, pending,
    scheduled, processing, oldest_ms, left_out, wait_buckets, wait_jobs, run_buckets, run_jobs)
  SELECT organization_id, :to!::integer, queue_name, begins, created, started, completed, retried, deadlettered, expired, cancelled, wait_ms, run_ms,
    pending,
    scheduled, processing, oldest_ms, left_out, coalesce(wait_buckets, '{}'), coalesce(wait_jobs, '{}'),
    coalesce(run_buckets, '{}'), coalesce(run_jobs, '{}')
  FROM complete LEFT JOIN latencies USING (organization_id, begins, queue_name) WHERE limited = most_limited
  ON CONFLICT DO NOTHING
  RETURNING 1
)
SELECT count(*) AS "rows!" FROM written;

/* @name deleteOldSeries */
-- Deletes up to :limit rows of each step that are older than it is kept.
-- Relies on queue_series_oldest, series_counters_oldest and the primary key of series_samples.
WITH kept (step, period) AS (
  VALUES (10, interval '70 minutes'), (60, interval '25 hours'), (3600, interval '31 days')
), old AS (
  -- By address, so that no plan joins with the whole table; rows of a series are never updated.
  DELETE FROM queue_series WHERE ctid = ANY (ARRAY(
    SELECT o.ctid FROM kept CROSS JOIN LATERAL (
      SELECT q.ctid FROM queue_series q WHERE q.step = kept.step AND q.at < current_ts() - kept.period ORDER BY q.step, q.at LIMIT :limit!::integer
    ) AS o
  ))
  RETURNING 1
), samples AS (
  DELETE FROM series_samples s USING kept WHERE s.step = kept.step AND s.at < current_ts() - kept.period
), counters AS (
  DELETE FROM series_counters WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM series_counters WHERE hour < current_ts() - interval '3 hours' ORDER BY hour LIMIT :limit!::integer
  ))
)
SELECT count(*) AS "deleted!" FROM old;
