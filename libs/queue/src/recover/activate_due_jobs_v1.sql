-- Makes scheduled and retried jobs claimable whose time has come, over all tenants. Rows that another transaction holds are skipped, so
-- that any number of schedulers may run this at once.
--
-- Input:
--   most  rows at most
-- Output: the jobs; old: what they were
CREATE OR REPLACE FUNCTION activate_due_jobs_v1(most integer) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, old live_state)
  LANGUAGE sql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  WITH due AS MATERIALIZED (
    SELECT q.job_id, q.state FROM job_queue q
    WHERE q.state IN ('scheduled', 'retrying') AND q.due_at <= current_ts(statement_timestamp())
    ORDER BY q.due_at LIMIT most FOR UPDATE SKIP LOCKED
  ), activated AS (
    UPDATE job_queue q SET state = 'ready' FROM due WHERE q.job_id = due.job_id
    RETURNING q.job_id, q.organization_id, q.queue_name, due.state
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, actor)
    SELECT a.organization_id, a.job_id, current_ts(statement_timestamp()), 'activated', 'system due-jobs' FROM activated a WHERE a.state = 'scheduled'
  )
  SELECT a.job_id, a.organization_id, a.queue_name, a.state FROM activated a
$$;
