-- Counts live jobs by queue, over all tenants, one state after the other. One scan of the table would read the jobs that are scheduled or wait in
-- a step as well, which may be millions. The planner chooses by the numbers of each state: with a million waiting jobs their indexes (1 ms without
-- the scheduled ones, 0.2 s with them), with a million ready ones the table (0.5 s; by their index 3 s).
--
-- Input:
--   with_scheduled  whether these are counted: an index entry each
-- Output: a row for each queue with such jobs
--   pending     ready, blocked or retrying
--   scheduled   0 if it was not asked for
--   processing  leased
--   oldest      since when a job of the queue is claimable; null: none is
-- Relies on: job_queue_claim, job_queue_blocked, job_queue_retrying, job_queue_leased, job_queue_waiting
CREATE OR REPLACE FUNCTION count_live_jobs_v1(with_scheduled boolean) RETURNS TABLE (
  organization_id uuid, queue_name text, pending bigint, scheduled bigint, processing bigint, oldest timestamptz)
  LANGUAGE sql STABLE SET max_parallel_workers_per_gather = 0
AS $$
  WITH counted (organization_id, queue_name, pending, scheduled, processing, oldest) AS (
    SELECT q.organization_id, q.queue_name, count(*), 0, 0, min(coalesce(q.due_at, q.created_at))
    FROM job_queue q WHERE q.state = 'ready' AND q.dependencies_met GROUP BY q.organization_id, q.queue_name
    UNION ALL
    SELECT q.organization_id, q.queue_name, count(*), 0, 0, NULL
    FROM job_queue q WHERE q.state = 'ready' AND NOT q.dependencies_met GROUP BY q.organization_id, q.queue_name
    UNION ALL
    -- job_queue_waiting has them among the scheduled ones.
    SELECT q.organization_id, q.queue_name, count(*), CASE WHEN with_scheduled THEN -count(*) ELSE 0 END, 0, NULL
    FROM job_queue q WHERE q.state = 'retrying' GROUP BY q.organization_id, q.queue_name
    UNION ALL
    SELECT q.organization_id, q.queue_name, 0, count(*), 0, NULL
    FROM job_queue q WHERE with_scheduled AND q.state IN ('scheduled', 'retrying') GROUP BY q.organization_id, q.queue_name
    UNION ALL
    SELECT q.organization_id, q.queue_name, 0, 0, count(*), NULL
    FROM job_queue q WHERE q.state = 'leased' GROUP BY q.organization_id, q.queue_name
  )
  SELECT c.organization_id, c.queue_name, sum(c.pending)::bigint, sum(c.scheduled)::bigint, sum(c.processing)::bigint, min(c.oldest)
  FROM counted c GROUP BY c.organization_id, c.queue_name
$$;
