-- A failed attempt takes two statements of one transaction: lock what failed, then write what libs/domain decided (retry with
-- which delay, or dead letter). Lease recovery writes with the same second statement.

-- batch: [{org, items: [{c, id, w, l?, s?, a?}]}], as complete_jobs_v1 has them. Rows with `why` are refusals; the others are locked
-- until the transaction ends. `lease_id` is given only where Redis may know the lease.
CREATE FUNCTION lock_failed_jobs_v1(batch json) RETURNS TABLE (
  command integer, why text, job_id uuid, queue_name text, retry_count smallint, max_retries smallint, settings jsonb,
  lease_id uuid)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := statement_timestamp();
  part json;
  org uuid;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT x.*, row_number() OVER (PARTITION BY x.id ORDER BY x.c) AS turn
      FROM json_to_recordset(part -> 'items') AS x(c integer, id uuid, w text, l text, s text[], a boolean)
    ), held AS MATERIALIZED (
      SELECT i.c, q.job_id, q.queue_name, q.retry_count, q.max_retries, CASE WHEN q.renewed THEN q.lease_id END AS known_lease
      -- As complete_part_v1 has it.
      FROM (SELECT * FROM input WHERE turn = 1 ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.* FROM job_queue q
        WHERE q.job_id = i.id AND q.organization_id = org AND q.state::text = 'leased' AND q.worker_id = i.w
          AND (q.lease_expires_at > moment OR i.a)
          AND (i.l IS NULL OR q.lease_id::text = i.l) AND (i.s IS NULL OR q.queue_name = ANY (i.s))
        FOR UPDATE
      ) AS q
    )
    SELECT h.c, NULL, h.job_id, h.queue_name, h.retry_count, h.max_retries, s.settings, h.known_lease
    FROM held h LEFT JOIN queue_config s ON s.organization_id = org AND s.queue_name = h.queue_name
    UNION ALL
    SELECT i.c, lease_refusal_v1(org, i.id, i.w, i.l, i.s) ->> 'why', i.id, NULL, NULL, NULL, NULL, NULL
    FROM input i WHERE NOT i.c = ANY (ARRAY(SELECT h.c FROM held h));
  END LOOP;
END
$$;

-- batch: [{org, items: [{id, e: error, v: history event, d?: delay in ms}]}]; without a delay the job becomes a dead letter.
-- The rows are locked by the caller, and reached by the array of their keys as in finish_jobs_v1. Returns {now, failed: [{id, org, queue, attempt, dead, error, worker, started, trace}], cancelled: […], deliveries: […]}.
CREATE FUNCTION apply_failures_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  part json;
  org uuid;
  ids uuid[];
  ended jsonb;
  parents uuid[];
  dead uuid[];
  failed jsonb := '[]';
  cancelled jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(id uuid, e text, v text, d bigint)
    ), before AS MATERIALIZED (
      SELECT q.job_id, q.queue_name, q.worker_id, q.started_at, q.retry_count, q.has_dependents, q.created_at, i.e, i.v, i.d,
        j.traceparent
      FROM input i
      CROSS JOIN LATERAL (SELECT * FROM job_queue WHERE job_id = i.id AND organization_id = org OFFSET 0) AS q
      CROSS JOIN LATERAL (SELECT traceparent FROM jobs WHERE id = i.id OFFSET 0) AS j
    ), retried AS (
      UPDATE job_queue q SET state = 'retrying', retry_count = b.retry_count + 1, last_error = b.e,
        due_at = moment + b.d * interval '1 millisecond', lease_id = NULL, lease_expires_at = NULL, worker_id = NULL
      FROM before b WHERE q.job_id = b.job_id AND q.job_id = ANY (ids) AND b.d IS NOT NULL
    ), gone AS (
      DELETE FROM job_queue q USING before b WHERE q.job_id = b.job_id AND q.job_id = ANY (ids) AND b.d IS NULL
    ), record AS (
      UPDATE jobs j SET outcome = 'deadletter', last_error = b.e, retry_count = b.retry_count, started_at = b.started_at,
        updated_at = moment, assigned_worker_id = NULL, lease_id = NULL, lease_expires_at = NULL
      FROM before b WHERE j.id = b.job_id AND j.id = ANY (ids) AND b.d IS NULL
    ), letters AS (
      INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at)
      SELECT job_id, org, queue_name, created_at, moment FROM before WHERE d IS NULL ON CONFLICT DO NOTHING
    ), written AS (
      INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, error)
      SELECT org, job_id, moment, v, retry_count + 1, worker_id, started_at, e FROM before
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, retried, deadlettered)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(d), count(*) - count(d) FROM before GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET retried = job_stats.retried + excluded.retried,
        deadlettered = job_stats.deadlettered + excluded.deadlettered
    )
    SELECT
      coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'org', org, 'queue', queue_name,
        'attempt', retry_count, 'dead', d IS NULL, 'error', e, 'worker', worker_id, 'started', started_at, 'trace', traceparent)), '[]'),
      array_agg(job_id) FILTER (WHERE d IS NULL AND has_dependents),
      array_agg(job_id) FILTER (WHERE d IS NULL)
    INTO ended, parents, dead FROM before;
    failed := failed || ended;
    IF parents IS NOT NULL THEN
      cancelled := cancelled || (
        SELECT coalesce(jsonb_agg(c || jsonb_build_object('org', org)), '[]')
        FROM jsonb_array_elements(cancel_dependents_v1(org, parents)) AS c);
    END IF;
    IF dead IS NOT NULL THEN
      deliveries := deliveries || decide_completion_calls_v1(org, dead);
      IF has_subscribers_v1(org, 'job.failed') THEN
        deliveries := deliveries || (
          SELECT decide_deliveries_v1(org, 'job.failed', array_agg((d ->> 'id')::uuid), array_agg(json_build_object(
            'job_id', d ->> 'id', 'queue_name', d ->> 'queue', 'status', 'deadletter', 'error', d ->> 'error')))
          FROM jsonb_array_elements(ended) AS d WHERE (d ->> 'dead')::boolean);
      END IF;
    END IF;
  END LOOP;
  RETURN jsonb_build_object('now', moment, 'failed', failed, 'cancelled', cancelled, 'deliveries', deliveries);
END
$$;
