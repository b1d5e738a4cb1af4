-- Puts a leased job aside until a deadline or a signal: it becomes scheduled, holds no lease, and keeps its attempts. The wait is a row of
-- job_steps. One whose time has come, or whose signal came first, is over at once, and the lease goes on. A wait that has begun before
-- keeps its deadline. A job that was asked to end does not wait: it stays leased, for the caller to cancel.
--
-- Input:
--   org
--   job, worker, lease, scope, renewed  as for renew_leases_v1
--   step     name of the wait
--   kind     sleep or signal
--   wait_ms  how long it waits at most
--   most     steps of a job at most
-- Output: one row
--   why         a refusal as of record_steps_v1, or null
--   is_over     the wait has ended already
--   queue_name, lease_id  of the job
--   until       when it goes on at the latest
--   waiting_at  the time
--   cancel_requested  it was asked to end: cancel it
-- Relies on: the primary keys of job_queue and job_steps
CREATE OR REPLACE FUNCTION begin_wait_v1(
  org uuid, job uuid, worker text, lease text, scope text[], renewed boolean, step text, kind text, wait_ms bigint, most integer)
  RETURNS TABLE (why text, is_over boolean, queue_name text, lease_id uuid, until timestamptz, waiting_at timestamptz,
    cancel_requested boolean)
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  live job_queue;
  own job_steps;
BEGIN
  SELECT q.* INTO live FROM job_queue q
  WHERE q.job_id = job AND holds_lease_v1(q, org, worker, lease, scope, begin_wait_v1.renewed, moment) FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT lease_refusal_v1(org, job, worker, lease, scope) ->> 'why', false, NULL, NULL::uuid, NULL::timestamptz, moment, false;
    RETURN;
  END IF;

  -- After the lock, as is the statement below: a deadline that passed meanwhile has passed, and a signal that was given is seen.
  moment := current_ts(clock_timestamp());
  SELECT s.* INTO own FROM job_steps s WHERE s.job_id = job AND s.name = step;
  IF own.kind <> begin_wait_v1.kind OR (own.kind IS NULL AND (SELECT count(*) FROM job_steps s WHERE s.job_id = job) >= most) THEN
    RETURN QUERY SELECT CASE WHEN own.kind IS NULL THEN 'steps' ELSE 'kind' END, false, NULL, NULL::uuid, NULL::timestamptz, moment, false;
    RETURN;
  END IF;
  IF own.finished_at IS NOT NULL OR own.deadline <= moment THEN
    RETURN QUERY SELECT NULL, true, live.queue_name, live.lease_id, own.deadline, moment, false;
    RETURN;
  END IF;
  IF live.cancel_requested_at IS NOT NULL THEN
    RETURN QUERY SELECT NULL, false, live.queue_name, live.lease_id, own.deadline, moment, true;
    RETURN;
  END IF;
  IF own.kind IS NULL THEN
    own.deadline := moment + wait_ms * interval '1 millisecond';
    INSERT INTO job_steps (job_id, organization_id, name, kind, created_at, deadline)
    VALUES (job, org, step, begin_wait_v1.kind, moment, own.deadline);
  END IF;

  UPDATE job_queue q SET state = 'scheduled', due_at = own.deadline, worker_id = NULL, lease_id = NULL, lease_expires_at = NULL,
    started_at = NULL
  WHERE q.job_id = job;
  INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, details)
  VALUES (org, job, moment, 'waiting', live.retry_count + 1, live.worker_id, live.started_at, live.lease_id,
    json_build_object('step', step, 'kind', begin_wait_v1.kind, 'scheduled_at', own.deadline));
  RETURN QUERY SELECT NULL, false, live.queue_name, live.lease_id, own.deadline, moment, false;
END
$$;
