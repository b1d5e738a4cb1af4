-- A job as callers see it. A function, because planning a statement over all partitions of jobs takes several times as long as reading
-- one row: a session plans this one once, and the id selects the partition when the statement starts.
--
-- Input:
--   org
--   wanted  id of the job
--   queues  that the caller may access; null = all
-- Output: no row when the job does not exist in the organization and these queues
-- Relies on: the primary keys of jobs, job_queue and queue_deletions
CREATE OR REPLACE FUNCTION find_job_v1(org uuid, wanted uuid, queues text[]) RETURNS SETOF job_records
  LANGUAGE plpgsql STABLE ROWS 1 SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
BEGIN
  RETURN QUERY
  SELECT * FROM job_records r
  WHERE r.organization_id = org AND r.id = wanted AND (queues IS NULL OR r.queue_name = ANY (queues));
END
$$;
