-- Writes what was decided about attempts that have ended without success. Lease recovery writes with it as well. The rows are locked by
-- the caller, and reached by the array of their keys as in finish_jobs_v1.
--
-- Input:
--   batch  [{organization, items: [{id, error, event, delay_ms?}]}], in order of organization
--       event     for the job's history
--       delay_ms  until the next attempt; absent: the job becomes a dead letter
-- Output:
--   {now, failed: [{id, organization, queue, attempt, dead, error, worker, started_at, traceparent, event, due}],
--    cancelled: [{id, organization, queue, old}], deliveries: [{id, organization}], freed: [{organization, queue}]}
--   freed: queues with a concurrency limit in which places are free now
CREATE OR REPLACE FUNCTION apply_failures_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
DECLARE
  moment timestamptz := current_ts(clock_timestamp());
  part json;
  org uuid;
  ids uuid[];
  ended jsonb;
  parents uuid[];
  failed jsonb := '[]';
  freed jsonb := '[]';
  cancelled jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(id uuid, error text, event text, delay_ms bigint)
    ), before AS MATERIALIZED (
      SELECT q.job_id, q.queue_name, q.worker_id, q.started_at, q.retry_count, q.has_dependents, q.created_at, q.lease_id, q.progress,
        q.progress_message, i.error, i.event, i.delay_ms, j.traceparent, j.job_type
      FROM input i
      CROSS JOIN LATERAL (SELECT * FROM job_queue WHERE job_id = i.id AND organization_id = org OFFSET 0) AS q
      CROSS JOIN LATERAL (SELECT traceparent, job_type FROM jobs WHERE id = i.id OFFSET 0) AS j
    ), retried AS (
      UPDATE job_queue q SET state = 'retrying', retry_count = b.retry_count + 1, last_error = b.error,
        due_at = moment + b.delay_ms * interval '1 millisecond', lease_id = NULL, lease_expires_at = NULL, worker_id = NULL,
        started_at = NULL
      FROM before b WHERE q.job_id = b.job_id AND q.job_id = ANY (ids) AND b.delay_ms IS NOT NULL
    ), deleted AS (
      DELETE FROM job_queue q USING before b WHERE q.job_id = b.job_id AND q.job_id = ANY (ids) AND b.delay_ms IS NULL
    ), record AS (
      UPDATE jobs j SET outcome = 'deadletter', last_error = b.error, retry_count = b.retry_count, started_at = b.started_at,
        updated_at = moment, assigned_worker_id = NULL, lease_id = NULL, lease_expires_at = NULL
      FROM before b WHERE j.id = b.job_id AND j.id = ANY (ids) AND b.delay_ms IS NULL
    ), dead_letter AS (
      INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
      SELECT job_id, org, queue_name, created_at, moment, job_type, dead_letter_group_v1(queue_name, job_type, error)
      FROM before WHERE delay_ms IS NULL ON CONFLICT DO NOTHING
    ), written AS (
      INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, error, details)
      SELECT org, job_id, moment, event, retry_count + 1, worker_id, started_at, lease_id, error, json_strip_nulls(json_build_object(
        'will_retry', delay_ms IS NOT NULL, 'scheduled_at', moment + delay_ms * interval '1 millisecond', 'progress', progress,
        'progress_message', progress_message))
      FROM before
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, retried, deadlettered)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(delay_ms), count(*) - count(delay_ms)
      FROM before GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET retried = job_stats.retried + excluded.retried,
        deadlettered = job_stats.deadlettered + excluded.deadlettered
    ), worked AS (
      INSERT INTO worker_counts (organization_id, at, failed, workers, jobs)
      SELECT org, moment, true, array_agg(w.worker_id), array_agg(w.jobs)
      FROM (SELECT worker_id, count(*)::integer AS jobs FROM before WHERE event = 'failed' GROUP BY worker_id) AS w
      HAVING count(*) > 0
    )
    SELECT
      coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'organization', org, 'queue', queue_name,
        'attempt', retry_count, 'dead', delay_ms IS NULL, 'error', error, 'worker', worker_id, 'started_at', started_at,
        'traceparent', traceparent, 'event', event,
        'due', CASE WHEN delay_ms > 0 THEN moment + delay_ms * interval '1 millisecond' END)), '[]'),
      array_agg(job_id) FILTER (WHERE delay_ms IS NULL AND has_dependents)
    INTO ended, parents FROM before;
    failed := failed || ended;
    IF parents IS NOT NULL THEN
      cancelled := cancelled || (
        SELECT coalesce(jsonb_agg(c || jsonb_build_object('organization', org)), '[]')
        FROM jsonb_array_elements(cancel_dependents_v1(org, parents)) AS c);
    END IF;
    deliveries := deliveries || record_failure_deliveries_v1(org, ended);
    freed := freed || (
      SELECT coalesce(jsonb_agg(jsonb_build_object('organization', org, 'queue', f)), '[]')
      FROM jsonb_array_elements_text(queues_with_free_slots_v1(
        org, (SELECT json_agg(e -> 'queue') FROM jsonb_array_elements(ended) AS e))) AS f);
  END LOOP;
  RETURN jsonb_build_object('now', moment, 'failed', failed, 'cancelled', cancelled, 'deliveries', deliveries, 'freed', freed);
END
$$;
