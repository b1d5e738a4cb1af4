-- Gives a job the value that it waits for, and makes it claimable. A signal that comes before its wait is kept for it. The first signal of a
-- name counts, and none after the deadline of its wait: the row of the job decides what comes first.
--
-- Input:
--   org
--   job
--   step   name of the wait
--   value  JSON
--   most   steps of a job at most
--   known  when the sender got to know the wait, or null: a completed job that runs again takes no signals from before
--   scope  the queues that the sender may touch, or null
-- Output: one row
--   why         ended (the job lives no more, or the sender does not see it), rerun (it has completed since `known`, and runs again), kind (the name is that of another
--               step), late (its wait has ended), steps (the job has `most`), or null
--   accepted    false: an earlier signal counts
--   resumed     the job waited for it
--   queue_name  of the job
--   given_at    the time
-- Relies on: the primary keys of job_queue and job_steps
--
-- The record of the job is not read, and its history only for `known`: both have a partition for each week, and to plan such a look took longer
-- than the signal.
CREATE OR REPLACE FUNCTION signal_job_v1(org uuid, job uuid, step text, value json, most integer, known timestamptz, scope text[])
  RETURNS TABLE (why text, accepted boolean, resumed boolean, queue_name text, given_at timestamptz)
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  live job_queue;
  own job_steps;
  has_completed boolean := false;
  wakes boolean;
BEGIN
  SELECT q.* INTO live FROM job_queue q
  WHERE q.job_id = job AND q.organization_id = org AND (scope IS NULL OR q.queue_name = ANY (scope)) AND NOT EXISTS (
    -- As in job_records.
    SELECT FROM queue_deletions d
    WHERE d.organization_id = org AND d.queue_name = q.queue_name AND q.created_at <= d.deleted_until)
  FOR UPDATE OF q;
  -- After the lock: a deadline that passed while it was waited for has passed.
  moment := current_ts(clock_timestamp());
  IF live.job_id IS NULL THEN
    RETURN QUERY SELECT 'ended', false, false, NULL, moment;
    RETURN;
  END IF;
  SELECT s.* INTO own FROM job_steps s WHERE s.job_id = job AND s.name = step;
  IF known IS NOT NULL THEN
    has_completed := EXISTS (
      SELECT FROM job_history h
      WHERE h.organization_id = org AND h.job_id = job AND h.event = 'completed' AND h.at >= signal_job_v1.known);
  END IF;
  why := CASE
    WHEN has_completed THEN 'rerun'
    WHEN own.kind <> 'signal' THEN 'kind'
    WHEN own.finished_at IS NULL AND own.deadline <= moment THEN 'late'
    WHEN own.kind IS NULL AND (SELECT count(*) FROM job_steps s WHERE s.job_id = job) >= most THEN 'steps'
  END;
  IF why IS NOT NULL OR own.finished_at IS NOT NULL THEN
    RETURN QUERY SELECT why, false, false, live.queue_name, moment;
    RETURN;
  END IF;

  INSERT INTO job_steps (job_id, organization_id, name, kind, created_at, finished_at, result)
  VALUES (job, org, step, 'signal', moment, moment, value)
  ON CONFLICT (job_id, name) DO UPDATE SET finished_at = moment, result = excluded.result;
  -- A wait without an end keeps the job scheduled; a job that is leased or due finds the value when it gets there.
  wakes := own.kind IS NOT NULL AND live.state = 'scheduled';
  IF wakes THEN
    UPDATE job_queue q SET state = 'ready', due_at = moment WHERE q.job_id = job;
    INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
    VALUES (org, job, moment, 'resumed', nullif(current_setting('app.actor', true), ''), json_build_object('step', step));
  END IF;
  RETURN QUERY SELECT NULL, true, wakes, live.queue_name, moment;
END
$$;
