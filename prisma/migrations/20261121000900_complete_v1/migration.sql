-- Complete: accepts results only from the holder of an unexpired lease; one statement per organization.
-- `flow` says which of the jobs belong to a workflow, so that only these are settled.
--
-- batch: [{org, items: [{c, id, w, l?, s?, a?, r? | rb?}]}]: command number, job, worker, lease id, key scope, alive (Redis holds the
-- lease beyond the row's end), result (in base64 as rb where it holds \u0000).
-- Returns for each part {org, now, done: [{c, id, queue, ms, started, trace, flow, lease: only where Redis may know it}],
-- refused: [{c, why}], released: [{id, queue}], deliveries: [{id, org}]}.
-- Relies on: job_queue primary key; jobs primary key (one partition per id).

-- Why a worker may not touch a job (any more): `lease` (expired, or another lease id), the outcome when this worker ended it itself,
-- else `gone`. `same` is true when it was ended by this very lease, so that a repeated command can be answered as done.
CREATE FUNCTION lease_refusal_v1(org uuid, job uuid, worker text, lease text, scope text[]) RETURNS jsonb
  LANGUAGE sql STABLE
AS $$
  SELECT jsonb_build_object(
    'why', CASE
      WHEN j.id IS NULL OR (scope IS NOT NULL AND NOT j.queue_name = ANY (scope)) THEN 'gone'
      WHEN q.state = 'leased' AND q.worker_id = worker THEN 'lease'
      WHEN j.outcome IN ('completed', 'cancelled') AND j.assigned_worker_id = worker THEN j.outcome::text
      ELSE 'gone'
    END,
    'same', coalesce(j.outcome = 'completed' AND j.assigned_worker_id = worker AND (lease IS NULL OR j.lease_id::text = lease), false))
  FROM (SELECT 1) AS one
  LEFT JOIN jobs j ON j.id = job AND j.organization_id = org
  LEFT JOIN job_queue q ON q.job_id = j.id
$$;

CREATE FUNCTION complete_jobs_v1(batch json) RETURNS SETOF json
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    RETURN NEXT complete_part_v1((part ->> 'org')::uuid, part -> 'items');
  END LOOP;
END
$$;

CREATE TYPE completed_jobs_v1 AS (done json, accepted integer[], ids uuid[], parents uuid[], called uuid[]);

-- Moves locked jobs from the live rows to the records. Both are reached by an array of keys, so that no plan can read more than these
-- rows, and the sets are joined by hash, for which this is a function of its own: row by row, 100 jobs are 10,000 comparisons.
CREATE FUNCTION finish_jobs_v1(org uuid, moment timestamptz, held uuid[], numbers integer[], results json[]) RETURNS completed_jobs_v1
  LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  finished completed_jobs_v1;
BEGIN
  WITH ended AS (
    DELETE FROM job_queue q WHERE q.job_id = ANY (held)
    RETURNING q.job_id, q.queue_name, q.worker_id, q.lease_id, q.lease_expires_at, q.started_at, q.retry_count,
      q.has_dependents, q.last_error, coalesce(q.due_at, q.created_at) AS due, CASE WHEN q.renewed THEN q.lease_id END AS known_lease
  ), record AS (
    UPDATE jobs j SET outcome = 'completed', result = h.result, completed_at = moment, updated_at = moment, started_at = e.started_at,
      retry_count = e.retry_count, last_error = e.last_error, assigned_worker_id = e.worker_id, lease_id = e.lease_id,
      lease_expires_at = e.lease_expires_at
    FROM ended e JOIN unnest(held, numbers, results) AS h(job_id, number, result) ON h.job_id = e.job_id
    -- The range as well: partitions are left out by comparison, not by membership in an array. `held` is in order.
    WHERE j.id = e.job_id AND j.id = ANY (held) AND j.id BETWEEN held[1] AND held[cardinality(held)]
    RETURNING h.number, j.id, e.queue_name, e.started_at, e.due, e.has_dependents, e.known_lease, j.completion_webhook, j.traceparent,
      j.workflow_id
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, completed, wait_ms, run_ms)
    SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*),
      sum(greatest(0, extract(epoch FROM started_at - due) * 1000))::bigint, sum(extract(epoch FROM moment - started_at) * 1000)::bigint
    FROM record GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET completed = job_stats.completed + excluded.completed,
      wait_ms = job_stats.wait_ms + excluded.wait_ms, run_ms = job_stats.run_ms + excluded.run_ms
  )
  SELECT
    coalesce(json_agg(json_build_object('c', number, 'id', id, 'queue', queue_name,
      'ms', (extract(epoch FROM moment - started_at) * 1000)::bigint, 'started', started_at, 'trace', traceparent,
      'flow', workflow_id, 'lease', known_lease)), '[]'),
    coalesce(array_agg(number), '{}'), array_agg(id), array_agg(id) FILTER (WHERE has_dependents),
    array_agg(id) FILTER (WHERE completion_webhook IS NOT NULL)
  INTO finished FROM record;
  RETURN finished;
END
$$;

CREATE FUNCTION complete_part_v1(org uuid, items json) RETURNS json
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  held uuid[];
  numbers integer[];
  results json[];
  finished completed_jobs_v1;
  refused json := '[]';
  released jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  PERFORM set_config('app.current_org_id', org::text, true);
  SELECT array_agg(h.job_id), array_agg(h.c), array_agg(h.r) INTO held, numbers, results FROM (
    -- The first of those that hold the job: before it may stand a stranger, who must not take its turn.
    SELECT DISTINCT ON (i.id) i.id AS job_id, i.c, coalesce(i.r, convert_from(decode(i.rb, 'base64'), 'UTF8')::json) AS r
    FROM (
      SELECT x.*
      FROM json_to_recordset(items) AS x(c integer, id uuid, w text, l text, s text[], a boolean, r json, rb text)
      ORDER BY x.id, x.c
    ) AS i
    -- One probe of the key for each, in order of the keys. As a join, or with the state compared as what it is, a plan from the
    -- time of an empty table may look through all leases instead.
    CROSS JOIN LATERAL (
      SELECT q.job_id FROM job_queue q
      WHERE q.job_id = i.id AND q.organization_id = org AND q.state::text = 'leased' AND q.worker_id = i.w
        AND (q.lease_expires_at > moment OR i.a) AND (i.l IS NULL OR q.lease_id::text = i.l) AND (i.s IS NULL OR q.queue_name = ANY (i.s))
      FOR UPDATE
    ) AS q
    ORDER BY i.id, i.c
  ) AS h;
  finished := finish_jobs_v1(org, moment, coalesce(held, '{}'), numbers, results);

  IF cardinality(finished.accepted) < json_array_length(items) THEN
    SELECT json_agg(lease_refusal_v1(org, x.id, x.w, x.l, x.s) || jsonb_build_object('c', x.c)) INTO refused
    FROM json_to_recordset(items) AS x(c integer, id uuid, w text, l text, s text[]) WHERE NOT x.c = ANY (finished.accepted);
  END IF;
  IF finished.parents IS NOT NULL THEN
    released := release_dependents_v1(org, finished.parents);
  END IF;
  IF finished.called IS NOT NULL THEN
    deliveries := decide_completion_calls_v1(org, finished.called);
  END IF;
  IF finished.ids IS NOT NULL AND has_subscribers_v1(org, 'job.completed') THEN
    deliveries := deliveries || (
      SELECT decide_deliveries_v1(org, 'job.completed', array_agg(j.id), array_agg(json_build_object(
        'job_id', j.id, 'queue_name', j.queue_name, 'status', 'completed', 'result', j.result)))
      FROM jobs j WHERE j.id = ANY (finished.ids) AND j.id BETWEEN held[1] AND held[cardinality(held)]);
  END IF;
  RETURN json_build_object(
    'org', org, 'now', moment, 'done', finished.done, 'refused', refused, 'released', released, 'deliveries', deliveries);
END
$$;

-- One delivery to the completion webhook of each job that has ended (completed or dead-lettered).
CREATE FUNCTION decide_completion_calls_v1(org uuid, ended uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  decided jsonb;
BEGIN
  WITH written AS (
    INSERT INTO webhook_deliveries (organization_id, job_id, event, url, payload)
    SELECT org, j.id, CASE j.outcome WHEN 'completed' THEN 'job.completed' ELSE 'job.failed' END, j.completion_webhook,
      CASE j.outcome
        WHEN 'completed' THEN json_build_object('job_id', j.id, 'queue_name', j.queue_name, 'status', 'completed', 'result', j.result)
        ELSE json_build_object('job_id', j.id, 'queue_name', j.queue_name, 'status', j.outcome, 'error', j.last_error)
      END
    FROM jobs j WHERE j.id = ANY (ended) AND j.completion_webhook IS NOT NULL
    RETURNING id
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'org', org)), '[]') INTO decided FROM written;
  RETURN decided;
END
$$;
