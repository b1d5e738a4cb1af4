-- Whether a job of a past week is kept when its partition goes: a live job, a dead letter, one that ended less than `days` ago, and a step of
-- a workflow that has not ended, whose status is counted from it (as in deleteFinishedJobs). The planner inlines it, because it has no query:
-- with one, a million rows took 91 s in place of 1.2 s.
--
-- Input:
--   outcome, completed_at
--   is_step  of a workflow that has not ended
--   days     that finished jobs are kept
CREATE OR REPLACE FUNCTION is_job_kept_v1(outcome job_status, completed_at timestamptz, is_step boolean, days integer) RETURNS boolean
  LANGUAGE sql STABLE
AS $$
  SELECT outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => days) OR is_step
$$;
