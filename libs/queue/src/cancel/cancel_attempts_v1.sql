-- Cancels jobs with their running attempts, and the children that cannot run without them. Whatever ends an attempt whose job was asked
-- to end, other than its completion, ends here: failure, release, recovery, force. The rows are locked by the caller.
--
-- Input:
--   batch  [{organization, items: [{id, cause, error?}]}], in order of organization
--       cause  for the job's history
--       error  becomes the job's last error; absent: it keeps its own
-- Output:
--   {now, ended: [{id, organization, queue, lease, worker, started_at, traceparent, error}],
--    children: [{id, organization, queue, old}], freed: [{organization, queue}]}
--   freed: queues with a concurrency limit in which places are free now
-- Relies on: job_queue and jobs primary keys
CREATE OR REPLACE FUNCTION cancel_attempts_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
DECLARE
  moment timestamptz := current_ts(clock_timestamp());
  part json;
  org uuid;
  ids uuid[];
  done jsonb;
  parents uuid[];
  ended jsonb := '[]';
  children jsonb := '[]';
  freed jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    WITH before AS MATERIALIZED (
      SELECT q.*, i.cause, i.error, j.traceparent
      FROM json_to_recordset(part -> 'items') AS i(id uuid, cause text, error text)
      CROSS JOIN LATERAL (SELECT * FROM job_queue WHERE job_id = i.id AND organization_id = org AND state::text = 'leased' OFFSET 0) AS q
      CROSS JOIN LATERAL (SELECT traceparent FROM jobs WHERE id = i.id OFFSET 0) AS j
    ), deleted AS (
      DELETE FROM job_queue q USING before b WHERE q.job_id = b.job_id AND q.job_id = ANY (ids)
    ), record AS (
      -- The worker stays, so that it is told that the job was cancelled, if it shows its name alone.
      UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, cancelled_at = moment, updated_at = moment, retry_count = b.retry_count,
        last_error = coalesce(b.error, b.last_error), started_at = b.started_at, assigned_worker_id = b.worker_id
      FROM before b WHERE j.id = b.job_id AND j.id = ANY (ids)
    ), past AS (
      INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, error, actor, details)
      SELECT org, job_id, moment, 'cancelled', retry_count + 1, worker_id, started_at, lease_id, error,
        nullif(current_setting('app.actor', true), ''), json_strip_nulls(json_build_object(
          'reason', cause, 'progress', progress, 'progress_message', progress_message))
      FROM before
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM before GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'organization', org, 'queue', queue_name, 'lease', lease_id,
        'worker', worker_id, 'started_at', started_at, 'traceparent', traceparent, 'error', error)), '[]'),
      array_agg(job_id) FILTER (WHERE has_dependents)
    INTO done, parents FROM before;
    ended := ended || done;
    IF parents IS NOT NULL THEN
      children := children || (SELECT coalesce(jsonb_agg(c || jsonb_build_object('organization', org)), '[]')
        FROM jsonb_array_elements(cancel_dependents_v1(org, parents)) AS c);
    END IF;
    freed := freed || (
      SELECT coalesce(jsonb_agg(jsonb_build_object('organization', org, 'queue', name)), '[]')
      FROM jsonb_array_elements_text(queues_with_free_slots_v1(org, (SELECT json_agg(e -> 'queue') FROM jsonb_array_elements(done) AS e))) AS name);
  END LOOP;
  RETURN jsonb_build_object('now', moment, 'ended', ended, 'children', children, 'freed', freed);
END
$$;
