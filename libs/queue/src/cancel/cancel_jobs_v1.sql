-- Cancels live jobs that no worker holds, and the children that cannot run without them.
--
-- Input:
--   org
--   ids
--   reason  becomes the jobs' last error; null: they keep theirs
-- Output: {now, cancelled: [{id, queue, old}]}; old: the status before
CREATE OR REPLACE FUNCTION cancel_jobs_v1(org uuid, ids uuid[], reason text) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz;
  cancelled jsonb;
  parents uuid[];
  held uuid[];
BEGIN
  held := ARRAY(
    SELECT job_id FROM job_queue WHERE organization_id = org AND job_id = ANY (ids) AND state <> 'leased' ORDER BY job_id FOR UPDATE);
  -- After the locks: what they waited for comes first in the history.
  moment := current_ts(clock_timestamp());
  WITH deleted AS (
    DELETE FROM job_queue q WHERE q.job_id = ANY (held)
    RETURNING q.job_id, q.queue_name, q.state, q.retry_count, q.has_dependents, q.last_error
  ), record AS (
    UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, cancelled_at = moment, updated_at = moment, retry_count = d.retry_count,
      last_error = coalesce(reason, d.last_error)
    FROM deleted d WHERE j.id = d.job_id
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, error, actor, details)
    SELECT org, job_id, moment, 'cancelled', reason, nullif(current_setting('app.actor', true), ''),
      json_build_object('reason', nullif(current_setting('app.reason', true), ''))
    FROM deleted
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
    SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM deleted GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'queue', queue_name,
      'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]'),
    array_agg(job_id) FILTER (WHERE has_dependents)
  INTO cancelled, parents FROM deleted;
  IF parents IS NOT NULL THEN
    cancelled := cancelled || cancel_dependents_v1(org, parents);
  END IF;
  RETURN jsonb_build_object('now', moment, 'cancelled', cancelled);
END
$$;
