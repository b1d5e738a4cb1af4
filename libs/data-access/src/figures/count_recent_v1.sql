-- What queues counted in the last hours, to the minute. The only declaration of "the last hour" and "the last 24 hours".
-- Full hours come from the counters. Of the oldest hour only a part lies within: it is that hour less the minutes before the period, or
-- the minutes within it where some before are missing. Nothing is interpolated.
--
-- Input:
--   organization  whose queues
--   names         of the queues; '' is the organization as a whole
--   hours         1 to 24: minutes are kept for 25 hours
-- Output: one row for each name
--   covered_seconds  how much of the period the counts cover: all of it, unless samples are missing before and within the period
-- Relies on the primary keys of job_stats, queue_series and series_samples. Reads at most 60 minutes of each queue.
CREATE OR REPLACE FUNCTION count_recent_v1(organization uuid, names text[], hours integer)
RETURNS TABLE (
  queue_name text, created bigint, completed bigint, retried bigint, deadlettered bigint, cancelled bigint, wait_ms bigint, run_ms bigint,
  expired bigint, covered_seconds integer)
  LANGUAGE sql STABLE
AS $$
  WITH bounds AS (
    SELECT s.since, date_trunc('hour', s.since) AS first_hour, date_trunc('hour', s.since) + interval '1 hour' AS next_hour
    FROM (SELECT date_trunc('minute', current_ts()) - make_interval(hours => hours) AS since) AS s
  ), wanted AS MATERIALIZED (
    SELECT DISTINCT n.name FROM unnest(names) AS n(name)
  ), samples AS MATERIALIZED (
    -- A sample after a missed one also counts what came before its minute; one that reaches over a bound belongs to neither side.
    SELECT m.at, m.counted_seconds,
      CASE WHEN m.counted_from >= b.since THEN 'within' WHEN m.at < b.since AND m.counted_from >= b.first_hour THEN 'before' END AS part
    FROM bounds b JOIN series_samples m ON m.step = 60 AND m.at >= b.first_hour AND m.at < b.next_hour
  ), limited AS MATERIALIZED (
    -- Only the busiest queues of an organization are kept apart.
    SELECT q.at FROM bounds b JOIN queue_series q ON q.organization_id = organization AND q.step = 60 AND q.queue_name = ''
      AND q.at >= b.first_hour AND q.at < b.next_hour
    WHERE q.left_out > 0
  ), minutes AS MATERIALIZED (
    SELECT w.name, s.part, q.* FROM wanted w CROSS JOIN bounds b CROSS JOIN LATERAL (
      SELECT q.at, q.created, q.completed, q.retried, q.deadlettered, q.cancelled, q.wait_ms, q.run_ms, q.expired FROM queue_series q
      WHERE q.organization_id = organization AND q.step = 60 AND q.queue_name = w.name AND q.at >= b.first_hour AND q.at < b.next_hour
    ) AS q JOIN samples s ON s.at = q.at
  ), missing AS (
    SELECT w.name,
      extract(epoch FROM b.since - b.first_hour) - coalesce(sum(s.counted_seconds) FILTER (WHERE s.part = 'before'), 0) AS before,
      extract(epoch FROM b.next_hour - b.since) - coalesce(sum(s.counted_seconds) FILTER (WHERE s.part = 'within'), 0) AS within
    FROM wanted w CROSS JOIN bounds b LEFT JOIN samples s ON w.name = '' OR s.at NOT IN (SELECT at FROM limited)
      OR EXISTS (SELECT FROM minutes m WHERE m.name = w.name AND m.at = s.at)
    GROUP BY w.name, b.since, b.first_hour, b.next_hour
  ), counters AS (
    SELECT w.name, s.hour, s.created, s.completed, s.retried, s.deadlettered, s.cancelled, s.wait_ms, s.run_ms, s.expired
    FROM wanted w CROSS JOIN bounds b JOIN job_stats s ON s.organization_id = organization AND s.queue_name = w.name AND s.hour >= b.first_hour
    UNION ALL
    SELECT '', s.hour, s.created, s.completed, s.retried, s.deadlettered, s.cancelled, s.wait_ms, s.run_ms, s.expired
    FROM bounds b JOIN job_stats s ON s.organization_id = organization AND s.hour >= b.first_hour
    WHERE '' = ANY (names)
  ), counts AS (
    SELECT c.name, v.kind, CASE WHEN c.hour >= b.next_hour THEN 'later' ELSE 'first' END AS part, v.amount
    FROM bounds b CROSS JOIN counters c CROSS JOIN LATERAL unnest(
      ARRAY[c.created, c.completed, c.retried, c.deadlettered, c.cancelled, c.wait_ms, c.run_ms, c.expired]) WITH ORDINALITY AS v(amount, kind)
    UNION ALL
    SELECT m.name, v.kind, m.part, v.amount
    FROM minutes m CROSS JOIN LATERAL unnest(
      ARRAY[m.created, m.completed, m.retried, m.deadlettered, m.cancelled, m.wait_ms, m.run_ms, m.expired]) WITH ORDINALITY AS v(amount, kind)
    WHERE m.part IS NOT NULL
  ), sums AS (
    SELECT name, kind,
      coalesce(sum(amount) FILTER (WHERE part = 'later'), 0) AS later, coalesce(sum(amount) FILTER (WHERE part = 'first'), 0) AS first,
      coalesce(sum(amount) FILTER (WHERE part = 'before'), 0) AS before, coalesce(sum(amount) FILTER (WHERE part = 'within'), 0) AS within
    FROM counts GROUP BY name, kind
  ), figures AS (
    SELECT w.name, s.kind, m.within AS missing_within,
      -- The counters have transactions that began in the hour and ended after the sample; the minutes have those of deleted queues, of
      -- which the counters have nothing.
      (s.later + least(s.first, CASE WHEN m.before <= 0 THEN greatest(s.first - s.before, s.within) ELSE s.within END))::bigint AS amount,
      m.before > 0 AND m.within > 0 AND s.first > s.before + s.within AS is_partial
    FROM wanted w JOIN missing m ON m.name = w.name LEFT JOIN sums s ON s.name = w.name
  )
  SELECT f.name,
    coalesce(sum(f.amount) FILTER (WHERE f.kind = 1), 0)::bigint, coalesce(sum(f.amount) FILTER (WHERE f.kind = 2), 0)::bigint,
    coalesce(sum(f.amount) FILTER (WHERE f.kind = 3), 0)::bigint, coalesce(sum(f.amount) FILTER (WHERE f.kind = 4), 0)::bigint,
    coalesce(sum(f.amount) FILTER (WHERE f.kind = 5), 0)::bigint, coalesce(sum(f.amount) FILTER (WHERE f.kind = 6), 0)::bigint,
    coalesce(sum(f.amount) FILTER (WHERE f.kind = 7), 0)::bigint, coalesce(sum(f.amount) FILTER (WHERE f.kind = 8), 0)::bigint,
    (hours * 3600 - CASE WHEN bool_or(f.is_partial) THEN max(f.missing_within) ELSE 0 END)::integer
  FROM figures f GROUP BY f.name
$$;
