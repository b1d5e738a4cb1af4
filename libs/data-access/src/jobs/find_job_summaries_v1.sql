-- What lists say of these jobs, without payloads and results. Planned once per session, as find_job_v1; the lowest and the highest id
-- select the partitions when the statement starts.
--
-- Input:
--   org
--   ids     unknown ids are omitted, repeated ones are returned once
--   queues  that the caller may access; null = all
-- Relies on: the primary keys of jobs, job_queue and queue_deletions
CREATE OR REPLACE FUNCTION find_job_summaries_v1(org uuid, ids uuid[], queues text[]) RETURNS TABLE (
  id uuid, queue_name text, status text, priority smallint, retry_count smallint, max_retries smallint, job_type text, last_error text,
  created_at timestamptz, updated_at timestamptz, scheduled_at timestamptz, started_at timestamptz, completed_at timestamptz)
  LANGUAGE plpgsql STABLE ROWS 100 SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
DECLARE
  sorted uuid[] := ARRAY(SELECT unnest(ids) ORDER BY 1);
  lowest uuid := sorted[1];
  highest uuid := sorted[cardinality(sorted)];
BEGIN
  RETURN QUERY
  SELECT r.* FROM (SELECT DISTINCT unnest(sorted) AS id) AS wanted
  -- One look-up for each id. Without LIMIT the planner may read all jobs between the bounds for each: 26 ms instead of 0.7 for 50 of
  -- 10,000 jobs.
  CROSS JOIN LATERAL (
    SELECT j.id, j.queue_name, j.status, j.priority, j.retry_count, j.max_retries, j.job_type, j.last_error, j.created_at, j.updated_at,
      j.scheduled_at, j.started_at, j.completed_at
    FROM job_records j
    WHERE j.organization_id = org AND j.id = wanted.id AND j.id BETWEEN lowest AND highest
      AND (queues IS NULL OR j.queue_name = ANY (queues))
    LIMIT 1
  ) AS r;
END
$$;
