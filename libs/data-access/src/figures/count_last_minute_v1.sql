-- What queues counted in the last minute that was sampled. The only declaration of "now" for rates.
--
-- Input:
--   organization  whose queues
--   names         of the queues; '' is the organization as a whole
-- Output: one row for each name whose last minute is known
--   covered_seconds  the time in which this was counted: 60, less after a missed sample, up to 300 in one that covers several
-- The counters are the most that it can be: with a deleted queue they go, and its samples stay.
-- Relies on the primary keys of queue_series, series_samples and job_stats.
CREATE OR REPLACE FUNCTION count_last_minute_v1(organization uuid, names text[])
RETURNS TABLE (
  queue_name text, created bigint, completed bigint, retried bigint, deadlettered bigint, expired bigint, covered_seconds integer)
  LANGUAGE sql STABLE
AS $$
  WITH last AS (
    SELECT max(m.at) AS at FROM series_samples m WHERE m.step = 10
  ), samples AS MATERIALIZED (
    -- Samples that are older than this are not of now: no scheduler runs.
    SELECT m.at, m.counted_seconds FROM last l JOIN series_samples m ON m.step = 10 AND m.at > l.at - interval '1 minute' AND m.at <= l.at
    WHERE l.at > current_ts() - interval '3 minutes'
  ), wanted AS MATERIALIZED (
    SELECT DISTINCT n.name FROM unnest(names) AS n(name)
  ), sampled AS (
    SELECT w.name, coalesce(sum(q.created), 0) AS created, coalesce(sum(q.completed), 0) AS completed, coalesce(sum(q.retried), 0) AS retried,
      coalesce(sum(q.deadlettered), 0) AS deadlettered, coalesce(sum(q.expired), 0) AS expired,
      sum(s.counted_seconds)::integer AS covered_seconds
    FROM wanted w CROSS JOIN samples s
    LEFT JOIN queue_series q ON q.organization_id = organization AND q.step = 10 AND q.queue_name = w.name AND q.at = s.at
    LEFT JOIN queue_series o ON o.organization_id = organization AND o.step = 10 AND o.queue_name = '' AND o.at = s.at
    GROUP BY w.name
    HAVING sum(s.counted_seconds) > 0 AND NOT bool_or(q.queue_name IS NULL AND coalesce(o.left_out, 0) > 0)
  ), bounds AS (
    -- Transactions that began before the hour count for the one before, and a sample may cover five minutes.
    SELECT date_trunc('hour', current_ts() - interval '15 minutes') AS first_hour
  ), counters AS (
    SELECT w.name, t.created, t.completed, t.retried, t.deadlettered, t.expired
    FROM wanted w CROSS JOIN bounds b
    JOIN job_stats t ON t.organization_id = organization AND t.queue_name = w.name AND t.hour >= b.first_hour
    UNION ALL
    SELECT '', t.created, t.completed, t.retried, t.deadlettered, t.expired
    FROM bounds b JOIN job_stats t ON t.organization_id = organization AND t.hour >= b.first_hour
    WHERE '' = ANY (names)
  ), counted AS (
    SELECT c.name, sum(c.created) AS created, sum(c.completed) AS completed, sum(c.retried) AS retried, sum(c.deadlettered) AS deadlettered,
      sum(c.expired) AS expired
    FROM counters c GROUP BY c.name
  )
  SELECT m.name, least(m.created, coalesce(c.created, 0))::bigint, least(m.completed, coalesce(c.completed, 0))::bigint,
    least(m.retried, coalesce(c.retried, 0))::bigint, least(m.deadlettered, coalesce(c.deadlettered, 0))::bigint,
    least(m.expired, coalesce(c.expired, 0))::bigint, m.covered_seconds
  FROM sampled m LEFT JOIN counted c ON c.name = m.name
$$;
