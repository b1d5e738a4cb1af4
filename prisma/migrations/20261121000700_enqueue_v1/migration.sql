-- Enqueue: one call for the jobs of many callers and tenants (BX-10). One statement per organization, no look at history.
--
-- batch: [{org, guarded, again, keyed, parented, command, quota?, jobs: [{n, id, q, p | pb, jt, pr, mr?, ts?, sa?, ea?, k?, tg?, pj?, cw?, cs?, tp?}]}]
-- in order of org. n numbers the jobs of the whole batch. A part whose command may be refused (guarded: it has a quota or a
-- parent) holds one command only and is undone alone. again: the command may have run before; its own rows are left as they are.
-- A command that runs at the same moment in another transaction as well fails this one whole, for the engine to run again; ON CONFLICT
-- for that would cost each job a tenth.
-- p is the payload; one that holds \u0000 comes as pb, in base64, because the JSON functions cannot read over it.
-- Returns {now, hits: [{n, id}], refused: [{command, …}], cancelled: [{id, queue, old}], deliveries: [{id, org}]}.

CREATE FUNCTION enqueue_jobs_v1(batch json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
  done jsonb;
  hits jsonb := '[]';
  refused jsonb := '[]';
  cancelled jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    IF (part ->> 'guarded')::boolean THEN
      BEGIN
        done := enqueue_part_v1(part, server_max_retries, server_timeout);
      EXCEPTION
        WHEN SQLSTATE 'SPQ01' THEN
          refused := refused || (SQLERRM::jsonb || jsonb_build_object('command', part -> 'command', 'why', 'quota'));
          CONTINUE;
        WHEN SQLSTATE 'SPP01' THEN
          refused := refused || jsonb_build_object('command', part -> 'command', 'why', 'parent');
          CONTINUE;
      END;
    ELSE
      done := enqueue_part_v1(part, server_max_retries, server_timeout);
    END IF;
    hits := hits || (done -> 'hits');
    cancelled := cancelled || (done -> 'cancelled');
    deliveries := deliveries || (done -> 'deliveries');
  END LOOP;
  RETURN jsonb_build_object('now', now(), 'hits', hits, 'refused', refused, 'cancelled', cancelled, 'deliveries', deliveries);
END
$$;

CREATE FUNCTION enqueue_part_v1(part json, server_max_retries integer, server_timeout integer) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  org uuid := (part ->> 'org')::uuid;
  list json := part -> 'jobs';
  skip integer[] := '{}';
  hits jsonb := '[]';
  cancelled jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  PERFORM set_config('app.current_org_id', org::text, true);
  IF part -> 'quota' IS NOT NULL THEN
    -- Before the keys: a second request with the same key waits here rather than holding a key row while it waits.
    PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));
  END IF;

  IF (part ->> 'again')::boolean THEN
    SELECT coalesce(array_agg(j.n), '{}') INTO skip
    FROM json_to_recordset(list) AS j(n integer, id uuid) JOIN jobs ON jobs.id = j.id;
  END IF;

  IF (part ->> 'keyed')::boolean THEN
    -- The insert waits for a concurrent holder of the same key; in order of key, so that two batches never wait for each other.
    INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id)
    SELECT DISTINCT ON (j.k) org, j.k, j.id FROM json_to_recordset(list) AS j(n integer, id uuid, k text)
    WHERE j.k IS NOT NULL AND NOT j.n = ANY (skip) ORDER BY j.k, j.n
    ON CONFLICT DO NOTHING;
    WITH held AS (
      SELECT j.n, i.job_id FROM json_to_recordset(list) AS j(n integer, id uuid, k text)
      JOIN idempotency_keys i ON i.organization_id = org AND i.idempotency_key = j.k
      WHERE i.job_id <> j.id
    ), touched AS (
      UPDATE jobs SET updated_at = now() WHERE id = ANY (ARRAY(SELECT job_id FROM held))
    )
    SELECT skip || coalesce(array_agg(n), '{}'), coalesce(jsonb_agg(jsonb_build_object('n', n, 'id', job_id)), '[]')
    INTO skip, hits FROM held;
  END IF;

  IF part -> 'quota' IS NOT NULL AND json_array_length(list) > cardinality(skip) THEN
    PERFORM check_job_quota_v1(
      org, part -> 'quota', json_array_length(list) - cardinality(skip),
      ARRAY(SELECT DISTINCT j.q FROM json_to_recordset(list) AS j(q text)));
  END IF;

  IF (part ->> 'parented')::boolean THEN
    PERFORM lock_parents_v1(org, list);
  END IF;

  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset(list) AS j(
      n integer, id uuid, q text, p json, pb text, jt text, pr smallint, mr smallint, ts integer, sa timestamptz, ea timestamptz,
      k text, tg jsonb, pj uuid, cw text, cs text, tp text)
    WHERE NOT j.n = ANY (skip)
  ), record AS (
    INSERT INTO jobs (
      id, organization_id, queue_name, payload, job_type, priority, max_retries, timeout_seconds, scheduled_at, expires_at,
      idempotency_key, tags, parent_job_id, completion_webhook, completion_webhook_secret, traceparent,
      dependency_mode, created_at, updated_at)
    SELECT
      i.id, org, i.q, coalesce(i.p, convert_from(decode(i.pb, 'base64'), 'UTF8')::json), i.jt, i.pr,
      coalesce(i.mr, c.max_retries, server_max_retries), coalesce(i.ts, c.default_timeout, server_timeout), i.sa, i.ea,
      i.k, i.tg, i.pj, i.cw, i.cs, i.tp, CASE WHEN i.pj IS NOT NULL THEN 'all' END, now(), now()
    FROM input i LEFT JOIN queue_config c ON c.organization_id = org AND c.queue_name = i.q
    RETURNING id, queue_name, created_at, scheduled_at, expires_at, priority, max_retries, parent_job_id
  ), live AS (
    INSERT INTO job_queue (
      job_id, organization_id, queue_name, state, due_at, priority, max_retries, created_at, expires_at, dependencies_met)
    SELECT id, org, queue_name,
      CASE WHEN scheduled_at > now() THEN 'scheduled' ELSE 'ready' END::live_state,
      CASE WHEN scheduled_at > now() THEN scheduled_at END,
      priority, max_retries, created_at, expires_at, parent_job_id IS NULL
    FROM record
  ), seen AS (
    INSERT INTO queues (organization_id, queue_name) SELECT DISTINCT org, queue_name FROM record ON CONFLICT DO NOTHING
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, created)
    SELECT org, queue_name, date_trunc('hour', now()), counter_slot(), count(*) FROM record GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET created = job_stats.created + excluded.created
  )
  INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
  SELECT org, (now() AT TIME ZONE 'UTC')::date, counter_slot(), count(*) FROM record HAVING count(*) > 0
  ON CONFLICT (organization_id, day, slot) DO UPDATE SET jobs_created = usage_counters.jobs_created + excluded.jobs_created;

  IF (part ->> 'parented')::boolean THEN
    cancelled := settle_children_v1(org, list);
  END IF;

  IF has_subscribers_v1(org, 'job.created') THEN
    SELECT decide_deliveries_v1(org, 'job.created', array_agg(j.id), array_agg(json_build_object(
      'job_id', j.id, 'queue_name', j.q, 'priority', j.pr, 'status', CASE WHEN j.sa > now() THEN 'scheduled' ELSE 'pending' END)))
    INTO deliveries
    FROM json_to_recordset(list) AS j(n integer, id uuid, q text, pr smallint, sa timestamptz) WHERE NOT j.n = ANY (skip);
  END IF;

  RETURN jsonb_build_object('hits', hits, 'cancelled', cancelled, 'deliveries', deliveries);
END
$$;

-- Locks the live rows of the parents, so that none ends between the look at it and the insert of its child, and marks them.
-- Refuses (SQLSTATE SPP01) a parent that does not exist in this organization and queue.
CREATE FUNCTION lock_parents_v1(org uuid, list json) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
BEGIN
  PERFORM FROM job_queue q
  WHERE q.organization_id = org AND q.job_id = ANY (ARRAY(SELECT j.pj FROM json_to_recordset(list) AS j(pj uuid)))
  ORDER BY q.job_id FOR UPDATE;
  IF EXISTS (
    SELECT FROM json_to_recordset(list) AS j(q text, pj uuid)
    LEFT JOIN jobs p ON p.id = j.pj AND p.organization_id = org AND p.queue_name = j.q
    WHERE j.pj IS NOT NULL AND p.id IS NULL
  ) THEN
    RAISE EXCEPTION 'parent not found' USING ERRCODE = 'SPP01';
  END IF;
  UPDATE job_queue q SET has_dependents = true
  WHERE q.organization_id = org AND q.job_id = ANY (ARRAY(SELECT j.pj FROM json_to_recordset(list) AS j(pj uuid)));
END
$$;

-- Writes the edges of new children, then lets go those whose parent has completed and cancels those whose parent cannot.
CREATE FUNCTION settle_children_v1(org uuid, list json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  parents uuid[] := ARRAY(SELECT DISTINCT j.pj FROM json_to_recordset(list) AS j(pj uuid) WHERE j.pj IS NOT NULL);
  completed uuid[];
  dead uuid[];
BEGIN
  INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id)
  SELECT org, j.id, j.pj FROM json_to_recordset(list) AS j(id uuid, pj uuid)
  WHERE j.pj IS NOT NULL AND EXISTS (SELECT FROM job_queue q WHERE q.job_id = j.id)
  ON CONFLICT DO NOTHING;
  SELECT array_agg(id) FILTER (WHERE outcome = 'completed'), array_agg(id) FILTER (WHERE outcome <> 'completed')
  INTO completed, dead FROM jobs WHERE id = ANY (parents);
  IF completed IS NOT NULL THEN
    PERFORM release_dependents_v1(org, completed);
  END IF;
  RETURN CASE WHEN dead IS NULL THEN '[]' ELSE cancel_dependents_v1(org, dead) END;
END
$$;
