-- What queues counted in the last minute that was sampled. The only declaration of "now" for rates.
--
-- Input:
--   organization  whose queues
--   names         of the queues; '' is the organization as a whole
-- Output: one row for each name whose last minute is known
--   covered_seconds  the time in which this was counted: 60, less after a missed sample, up to 300 in one that covers several
-- Relies on the primary keys of queue_series and series_samples.
CREATE OR REPLACE FUNCTION count_last_minute_v1(organization uuid, names text[])
RETURNS TABLE (queue_name text, created bigint, completed bigint, retried bigint, deadlettered bigint, covered_seconds integer)
  LANGUAGE sql STABLE
AS $$
  WITH last AS (
    SELECT max(m.at) AS at FROM series_samples m WHERE m.step = 10
  ), samples AS MATERIALIZED (
    -- Samples that are older than this are not of now: no scheduler runs.
    SELECT m.at, m.counted_seconds FROM last l JOIN series_samples m ON m.step = 10 AND m.at > l.at - interval '1 minute' AND m.at <= l.at
    WHERE l.at > current_ts() - interval '3 minutes'
  )
  SELECT w.name, coalesce(sum(q.created), 0)::bigint, coalesce(sum(q.completed), 0)::bigint, coalesce(sum(q.retried), 0)::bigint,
    coalesce(sum(q.deadlettered), 0)::bigint, sum(s.counted_seconds)::integer
  FROM (SELECT DISTINCT n.name FROM unnest(names) AS n(name)) AS w CROSS JOIN samples s
  LEFT JOIN queue_series q ON q.organization_id = organization AND q.step = 10 AND q.queue_name = w.name AND q.at = s.at
  LEFT JOIN queue_series o ON o.organization_id = organization AND o.step = 10 AND o.queue_name = '' AND o.at = s.at
  GROUP BY w.name
  HAVING sum(s.counted_seconds) > 0 AND NOT bool_or(q.queue_name IS NULL AND coalesce(o.left_out, 0) > 0)
$$;
