-- Claim: one call for all waiting workers of many tenants and queues; rows that another claimer holds are skipped (SP-21, SP-22).
--
-- batch: [{org, q, again, from?: {p, t}, claims: [{c, id, w, s, l, again}]}]: command number, claim id, worker, lease seconds, limit; again: the
-- command, or one of the part, may have run before; from: priority and age of what was granted last. With it, claims begin to look
-- there: while an old snapshot keeps vacuum from the entries of granted jobs, the others walk past all of them (30,000: 2.7 ms and
-- 935 buffers, from there 0.06 and 18). What lies before it is then found only when nothing else is; callers leave `from` away from
-- time to time, and always while claims are quick.
-- Returns the granted jobs; rows without a command number are scheduled jobs that this claim found due and made pending.
-- Relies on: job_queue_claim (the order), job_queue_waiting (due rows), job_queue_leased (a repeated claim finds its own).
-- A lease id is derived from claim and job: a repeated claim recognizes the jobs that it already got.
-- `settings.concurrency` bounds the unexpired leases of its queue (MQ-03). Claims of such a queue take turns, because two that count
-- at the same moment would both find room; parts come in order of organization and queue, so that two batches cannot wait for each
-- other. Queues without it pay nothing. `told`: granted just now, and the organization has a webhook for job.started.
-- Plans are made once for each session, or planning takes most of the time: 20 claims of empty queues 30 ms, with kept plans 4.
-- A kept plan may stem from a time when tables were empty, so statements are written such that no plan can read more than the rows
-- in question: rows are chosen in the order of an index and then reached by an array of their keys; sets are joined only where both
-- sides are bounded so. A claim of 100 that joined by key, planned over empty tables, took 220 ms once 15,000 jobs had come; this
-- takes 3. prisma/plans.spec.ts holds it.

-- A queue's concurrency, or null. Settings are free JSON: what makes no sense counts as absent.
CREATE FUNCTION queue_concurrency_v1(settings jsonb) RETURNS integer
  LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN jsonb_typeof(settings -> 'concurrency') = 'number' AND (settings ->> 'concurrency')::numeric BETWEEN 1 AND 10000
    THEN floor((settings ->> 'concurrency')::numeric)::integer END
$$;

CREATE TYPE granted_job_v1 AS (
  command integer, part integer, job_id uuid, queue_name text, payload json, priority smallint, retry_count smallint,
  max_retries smallint, timeout_seconds integer, lease_id uuid, lease_expires_at timestamptz, created_at timestamptz,
  scheduled_at timestamptz, started_at timestamptz, idempotency_key text, traceparent text, worker_id text, told boolean);

-- Grants locked jobs, in the order of `ids`, to the claims in theirs; those in `kept` have their jobs already. A function of its own,
-- because here sets may be joined by hash.
CREATE FUNCTION grant_leases_v1(org uuid, part integer, moment timestamptz, ids uuid[], claims json, kept uuid[])
  RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  told boolean := has_subscribers_v1(org, 'job.started');
  sorted uuid[] := ARRAY(SELECT id FROM unnest(ids) AS id ORDER BY id);
BEGIN
  RETURN QUERY
  WITH seats AS MATERIALIZED (
    SELECT x.c, x.id, x.w, x.s, sum(n.wanted) OVER (ORDER BY x.c) - n.wanted AS after, sum(n.wanted) OVER (ORDER BY x.c) AS upto
    FROM json_to_recordset(claims) AS x(c integer, id uuid, w text, s integer, l integer)
    CROSS JOIN LATERAL (SELECT CASE WHEN x.id = ANY (kept) THEN 0 ELSE x.l END AS wanted) AS n
  ), ranked AS MATERIALIZED (
    SELECT r.job_id, r.place, s.c, s.id, s.w, s.s
    FROM unnest(ids) WITH ORDINALITY AS r(job_id, place) JOIN seats s ON r.place > s.after AND r.place <= s.upto
  ), granted AS (
    UPDATE job_queue q SET state = 'leased', worker_id = r.w, lease_id = md5(r.id::text || q.job_id)::uuid,
      lease_expires_at = clock_timestamp() + make_interval(secs => r.s), started_at = moment
    FROM ranked r WHERE q.job_id = r.job_id AND q.job_id = ANY (ids)
    RETURNING r.c, r.place, q.job_id, q.queue_name, q.priority, q.retry_count, q.max_retries, q.lease_id, q.lease_expires_at,
      q.created_at, q.due_at, q.started_at, q.worker_id
  )
  SELECT g.c, part, g.job_id, g.queue_name, j.payload, g.priority, g.retry_count, g.max_retries, j.timeout_seconds, g.lease_id,
    g.lease_expires_at, g.created_at, coalesce(g.due_at, j.scheduled_at), g.started_at, j.idempotency_key, j.traceparent, g.worker_id,
    told
  -- The range as well: partitions are left out by comparison, not by membership in an array.
  FROM granted g JOIN jobs j ON j.id = g.job_id AND j.id = ANY (ids) AND j.id BETWEEN sorted[1] AND sorted[cardinality(sorted)]
  ORDER BY g.place;
END
$$;

CREATE FUNCTION claim_jobs_v1(batch json) RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_material = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  item json;
  number integer := -1;
  org uuid;
  queue text;
  active boolean;
  concurrency integer;
  room integer;
  most integer;
  ids uuid[];
  kept uuid[];
BEGIN
  FOR item IN SELECT value FROM json_array_elements(batch) LOOP
    number := number + 1;
    org := (item ->> 'org')::uuid;
    queue := item ->> 'q';
    PERFORM set_config('app.current_org_id', org::text, true);
    -- Read here and not from a cache: a pause holds from its commit on.
    SELECT c.enabled, queue_concurrency_v1(c.settings) INTO active, concurrency
    FROM queue_config c WHERE c.organization_id = org AND c.queue_name = queue;
    CONTINUE WHEN NOT active;

    ids := ARRAY(
      SELECT q.job_id FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state IN ('scheduled', 'retrying') AND q.due_at <= moment
      ORDER BY q.due_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
    IF cardinality(ids) > 0 THEN
      RETURN QUERY
      WITH made_ready AS (
        UPDATE job_queue q SET state = 'ready' WHERE q.job_id = ANY (ids) RETURNING q.job_id, old.state AS was
      )
      SELECT NULL::integer, number, m.job_id, queue, NULL::json, NULL::smallint, NULL::smallint, NULL::smallint, NULL::integer,
        NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::text, NULL::text, NULL::text,
        false
      FROM made_ready m WHERE m.was = 'scheduled';
    END IF;

    room := NULL;
    IF concurrency IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('claim:' || org || ':' || queue, 0));
      -- Expired leases do not count: a queue must not stand still because nobody has recovered them yet.
      SELECT greatest(0, concurrency - count(*)) INTO room FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'leased' AND q.lease_expires_at > moment;
    END IF;

    kept := '{}';
    IF (item ->> 'again')::boolean THEN
      kept := ARRAY(
        SELECT x.id FROM json_to_recordset(item -> 'claims') AS x(id uuid, w text, again boolean)
        WHERE x.again AND EXISTS (
          SELECT FROM job_queue q
          WHERE q.organization_id = org AND q.queue_name = queue AND q.worker_id = x.w AND q.state = 'leased'
            AND q.lease_id = md5(x.id::text || q.job_id)::uuid));
      RETURN QUERY
      SELECT x.c, number, q.job_id, queue, j.payload, q.priority, q.retry_count, q.max_retries, j.timeout_seconds, q.lease_id,
        q.lease_expires_at, q.created_at, coalesce(q.due_at, j.scheduled_at), q.started_at, j.idempotency_key, j.traceparent,
        q.worker_id, false
      FROM json_to_recordset(item -> 'claims') AS x(c integer, id uuid, w text)
      JOIN job_queue q ON q.organization_id = org AND q.queue_name = queue AND q.worker_id = x.w AND q.state = 'leased'
        AND q.lease_id = md5(x.id::text || q.job_id)::uuid
      CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = q.job_id OFFSET 0) AS j
      WHERE x.id = ANY (kept)
      ORDER BY x.c, q.priority DESC, q.created_at, q.job_id;
    END IF;

    most := least(
      (SELECT sum(x.l) FROM json_to_recordset(item -> 'claims') AS x(id uuid, l integer) WHERE NOT x.id = ANY (kept)), room);
    ids := '{}';
    IF item -> 'from' IS NOT NULL THEN
      ids := ARRAY(
        SELECT q.job_id FROM job_queue q
        WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
          AND (q.expires_at IS NULL OR q.expires_at > moment) AND q.priority > (item #>> '{from,p}')::smallint
        ORDER BY q.priority DESC, q.created_at, q.job_id LIMIT most FOR UPDATE SKIP LOCKED);
      ids := ids || ARRAY(
        SELECT q.job_id FROM job_queue q
        WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
          AND (q.expires_at IS NULL OR q.expires_at > moment)
          AND q.priority = (item #>> '{from,p}')::smallint AND q.created_at >= (item #>> '{from,t}')::timestamptz
        ORDER BY q.created_at, q.job_id LIMIT most - cardinality(ids) FOR UPDATE SKIP LOCKED);
    END IF;
    IF cardinality(ids) = 0 THEN
      ids := ARRAY(
        SELECT q.job_id FROM job_queue q
        WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
          AND (q.expires_at IS NULL OR q.expires_at > moment)
        ORDER BY q.priority DESC, q.created_at, q.job_id LIMIT most FOR UPDATE SKIP LOCKED);
    END IF;
    IF cardinality(ids) > 0 THEN
      RETURN QUERY SELECT * FROM grant_leases_v1(org, number, moment, ids, item -> 'claims', kept);
    END IF;
  END LOOP;
END
$$;
