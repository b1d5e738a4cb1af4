-- Whether a job of a past week is kept when its partition goes: a live job, a dead letter, one that ended less than `days` ago, and a step of
-- a workflow that has not ended, whose status is counted from it (as in deleteFinishedJobs). The planner inlines it.
--
-- Input:
--   outcome, completed_at
--   workflow  of the job, or its batch
--   days      that finished jobs are kept
CREATE OR REPLACE FUNCTION is_job_kept_v1(outcome job_status, completed_at timestamptz, workflow uuid, days integer) RETURNS boolean
  LANGUAGE sql STABLE
AS $$
  SELECT outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => days)
    OR (workflow IS NOT NULL AND EXISTS (SELECT FROM workflows w WHERE w.id = workflow AND w.status IN ('pending', 'running')))
$$;
