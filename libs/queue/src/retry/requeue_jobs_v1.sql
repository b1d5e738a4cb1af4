-- Puts ended jobs back to pending, as new: no attempts, no error, no result; the attempt of a completed one goes from its record to its
-- history. They are due now, from where their wait is measured, and keep their place in the queue, which is by creation. Children that
-- were cancelled because of them come back with them. Jobs whose parents have yet to complete are blocked. All of them count against the
-- plan like new jobs. What cannot run, because a job that it needs failed and was deleted since, stays cancelled, and what is being deleted
-- with its queue stays as it is. Steps that a failed job has finished stay finished; a completed job begins with none.
--
-- Input:
--   org
--   ids
--   outcomes  which of the jobs may come back
--   quota     as for check_job_quota_v1, or null
-- Output: {now, requeued: [{id, queue, old, ready}]}; ready = may be claimed at once
-- Raises: SPQ01 when they do not fit
CREATE OR REPLACE FUNCTION requeue_jobs_v1(org uuid, ids uuid[], outcomes job_status[], quota json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz;
  found uuid[];
  locked uuid[] := '{}';
  old jsonb;
  requeued jsonb;
BEGIN
  -- First, as where dead letters are replayed: those that a step of it holds wait for the lock of requeues.
  PERFORM FROM dead_letters d WHERE d.organization_id = org AND d.job_id = ANY (ids) ORDER BY d.job_id FOR UPDATE;
  -- The lock of the quota check, taken before any other row: requeues of one organization take turns, whatever rows they share.
  PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));
  -- Looks again after it has locked what it found: until then a job may get a child (lock_parents_v1), and a parent may end. Ends when
  -- it finds nothing new.
  LOOP
    found := find_requeueable_children_v1(org, find_runnable_jobs_v1(ARRAY(
      SELECT j.id FROM jobs j WHERE j.organization_id = org AND j.id = ANY (ids) AND j.outcome = ANY (outcomes) AND NOT EXISTS (
        -- As in job_records.
        SELECT FROM queue_deletions d WHERE d.organization_id = org AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until))));
    EXIT WHEN NOT EXISTS (SELECT unnest(found) EXCEPT SELECT unnest(locked));
    PERFORM FROM jobs j WHERE j.id = ANY (found) ORDER BY j.id FOR UPDATE;
    PERFORM FROM job_queue q
    WHERE q.job_id = ANY (ARRAY(SELECT d.depends_on_job_id FROM job_dependencies d WHERE d.job_id = ANY (found)))
    ORDER BY q.job_id FOR UPDATE;
    locked := locked || found;
  END LOOP;
  -- After the locks: what they waited for comes first in the history.
  moment := current_ts(clock_timestamp());
  old := (SELECT jsonb_object_agg(j.id, j.outcome) FROM jobs j WHERE j.id = ANY (found));
  IF quota IS NOT NULL AND cardinality(found) > 0 THEN
    PERFORM check_job_quota_v1(org, quota, cardinality(found), '{}');
  END IF;

  INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id)
  SELECT org, j.id, j.completed_at, 'completed', j.retry_count + 1, j.assigned_worker_id, j.started_at, j.lease_id
  FROM jobs j WHERE j.id = ANY (found) AND j.outcome = 'completed';
  -- A sleep whose time has passed is finished. A signal that did not come is waited for again, or the retry would fail as before.
  DELETE FROM job_steps s
  WHERE s.job_id = ANY (found) AND (
    old ->> s.job_id::text = 'completed' OR s.finished_at IS NULL AND (s.kind = 'signal' OR s.deadline > moment));
  UPDATE jobs j SET outcome = NULL, retry_count = 0, last_error = NULL, result = NULL, scheduled_at = NULL, started_at = NULL,
    completed_at = NULL, cancelled_at = NULL, assigned_worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, updated_at = moment
  WHERE j.id = ANY (found);
  WITH live AS (
    INSERT INTO job_queue (
      job_id, organization_id, queue_name, state, due_at, priority, max_retries, created_at, expires_at, has_dependents,
      dependencies_met)
    SELECT j.id, org, j.queue_name, 'ready', moment, j.priority, j.max_retries, j.created_at,
      CASE WHEN j.expires_at > moment THEN j.expires_at END,
      EXISTS (SELECT FROM job_dependencies d WHERE d.depends_on_job_id = j.id),
      are_dependencies_met_v1(j.id, j.dependency_mode)
    FROM jobs j WHERE j.id = ANY (found) ON CONFLICT DO NOTHING
    RETURNING job_id, queue_name, dependencies_met
  ), marks AS (
    UPDATE job_dependencies SET cancelled_child = false WHERE job_id = ANY (found) AND cancelled_child
  ), dead_letter AS (
    DELETE FROM dead_letters WHERE job_id = ANY (found)
  ), written AS (
    INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
    SELECT org, job_id, moment, 'retried', nullif(current_setting('app.actor', true), ''),
      json_build_object('reason', nullif(current_setting('app.reason', true), ''), 'from', old ->> job_id::text, 'ready', dependencies_met)
    FROM live
  ), uncounted AS (
    -- Totals count each job once. The row is that of mergeOldStats, which rates and series leave out: what was done stays done.
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, completed, cancelled)
    SELECT org, queue_name, 'epoch', -1, -count(*) FILTER (WHERE old ->> job_id::text = 'completed'),
      -count(*) FILTER (WHERE old ->> job_id::text = 'cancelled')
    FROM live WHERE old ->> job_id::text IN ('completed', 'cancelled') GROUP BY queue_name ORDER BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET
      completed = job_stats.completed + excluded.completed, cancelled = job_stats.cancelled + excluded.cancelled
  ), used AS (
    INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
    SELECT org, (current_ts() AT TIME ZONE 'UTC')::date, counter_slot(), count(*) FROM live HAVING count(*) > 0
    ON CONFLICT (organization_id, day, slot) DO UPDATE SET jobs_created = usage_counters.jobs_created + excluded.jobs_created
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'id', job_id, 'queue', queue_name, 'old', old ->> job_id::text, 'ready', dependencies_met)), '[]') INTO requeued FROM live;
  RETURN jsonb_build_object('now', moment, 'requeued', requeued);
END
$$;
