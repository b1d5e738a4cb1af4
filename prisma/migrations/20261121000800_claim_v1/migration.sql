-- Claim: one call for all waiting workers of many tenants and queues; rows that another claimer holds are skipped (SP-21, SP-22).
--
-- batch: [{org, q, again, claims: [{c, id, w, s, l, again}]}]: command number, claim id, worker, lease seconds, limit; again: the
-- command, or one of the part, may have run before.
-- Returns the granted jobs; rows without a command number are scheduled jobs that this claim found due and made pending.
-- Relies on: job_queue_claim (the order), job_queue_waiting (due rows), job_queue_leased (a repeated claim finds its own).
-- A lease id is derived from claim and job: a repeated claim recognizes the jobs that it already got.
-- `settings.concurrency` bounds the unexpired leases of its queue (MQ-03). Claims of such a queue take turns, because two that count
-- at the same moment would both find room; parts come in order of organization and queue, so that two batches cannot wait for each
-- other. Queues without it pay nothing. `told`: granted just now, and the organization has a webhook for job.started.
-- Plans are made once for each session, or planning takes most of the time: 20 claims of empty queues 30 ms, with kept plans 4.
-- A kept plan may stem from a time when tables were small or had no statistics, so every way but probes by key and the ordered
-- indexes is closed: a claim with 50,000 jobs waiting in a table that nobody analyzed took 40 ms, and takes 1.

-- A queue's concurrency, or null. Settings are free JSON: what makes no sense counts as absent.
CREATE FUNCTION queue_concurrency_v1(settings jsonb) RETURNS integer
  LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN jsonb_typeof(settings -> 'concurrency') = 'number' AND (settings ->> 'concurrency')::numeric BETWEEN 1 AND 10000
    THEN floor((settings ->> 'concurrency')::numeric)::integer END
$$;

CREATE FUNCTION claim_jobs_v1(batch json) RETURNS TABLE (
  command integer, part integer, job_id uuid, queue_name text, payload json, priority smallint, retry_count smallint,
  max_retries smallint, timeout_seconds integer, lease_id uuid, lease_expires_at timestamptz, created_at timestamptz,
  scheduled_at timestamptz, started_at timestamptz, idempotency_key text, traceparent text, worker_id text, told boolean)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_material = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := statement_timestamp();
  item json;
  number integer := -1;
  org uuid;
  queue text;
  active boolean;
  concurrency integer;
  room integer;
  repeated boolean;
BEGIN
  FOR item IN SELECT value FROM json_array_elements(batch) LOOP
    number := number + 1;
    org := (item ->> 'org')::uuid;
    queue := item ->> 'q';
    repeated := (item ->> 'again')::boolean;
    PERFORM set_config('app.current_org_id', org::text, true);
    -- Read here and not from a cache: a pause holds from its commit on.
    SELECT c.enabled, queue_concurrency_v1(c.settings) INTO active, concurrency
    FROM queue_config c WHERE c.organization_id = org AND c.queue_name = queue;
    CONTINUE WHEN NOT active;

    RETURN QUERY
    WITH due AS MATERIALIZED (
      SELECT q.job_id, q.state FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state IN ('scheduled', 'retrying') AND q.due_at <= moment
      ORDER BY q.due_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    ), made_ready AS (
      UPDATE job_queue q SET state = 'ready' FROM due WHERE q.job_id = due.job_id
      RETURNING q.job_id, due.state AS old
    )
    SELECT NULL::integer, number, m.job_id, queue, NULL::json, NULL::smallint, NULL::smallint, NULL::smallint, NULL::integer,
      NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::text, NULL::text, NULL::text,
      false
    FROM made_ready m WHERE m.old = 'scheduled';

    room := NULL;
    IF concurrency IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('claim:' || org || ':' || queue, 0));
      -- Expired leases do not count: a queue must not stand still because nobody has recovered them yet.
      SELECT greatest(0, concurrency - count(*)) INTO room FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'leased' AND q.lease_expires_at > moment;
    END IF;

    RETURN QUERY
    WITH claims AS MATERIALIZED (
      SELECT x.c, x.id, x.w, x.s,
        CASE WHEN repeated AND x.again AND EXISTS (
          SELECT FROM job_queue q
          WHERE q.organization_id = org AND q.queue_name = queue AND q.worker_id = x.w AND q.state = 'leased'
            AND q.lease_id = md5(x.id::text || q.job_id)::uuid
        ) THEN 0 ELSE x.l END AS wanted
      FROM json_to_recordset(item -> 'claims') AS x(c integer, id uuid, w text, s integer, l integer, again boolean)
    ), seats AS MATERIALIZED (
      SELECT c, id, w, s, sum(wanted) OVER (ORDER BY c) - wanted AS after, sum(wanted) OVER (ORDER BY c) AS upto FROM claims
    ), candidates AS MATERIALIZED (
      SELECT q.job_id, q.priority, q.created_at FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
        AND (q.expires_at IS NULL OR q.expires_at > moment)
      ORDER BY q.priority DESC, q.created_at, q.job_id
      LIMIT least((SELECT sum(wanted) FROM claims), room) FOR UPDATE SKIP LOCKED
    ), ranked AS (
      SELECT k.job_id, row_number() OVER (ORDER BY k.priority DESC, k.created_at, k.job_id) AS place FROM candidates k
    ), granted AS (
      UPDATE job_queue q SET state = 'leased', worker_id = s.w, lease_id = md5(s.id::text || q.job_id)::uuid,
        lease_expires_at = clock_timestamp() + make_interval(secs => s.s), started_at = moment
      FROM ranked r JOIN seats s ON r.place > s.after AND r.place <= s.upto
      WHERE q.job_id = r.job_id
      RETURNING s.c, r.place, q.job_id, q.priority, q.retry_count, q.max_retries, q.lease_id, q.lease_expires_at,
        q.created_at, q.due_at, q.started_at, q.worker_id
    ), kept AS (
      SELECT x.c, 0::bigint AS place, q.job_id, q.priority, q.retry_count, q.max_retries, q.lease_id, q.lease_expires_at,
        q.created_at, q.due_at, q.started_at, q.worker_id
      FROM json_to_recordset(item -> 'claims') AS x(c integer, id uuid, w text, again boolean)
      JOIN job_queue q ON q.organization_id = org AND q.queue_name = queue AND q.worker_id = x.w AND q.state = 'leased'
        AND q.lease_id = md5(x.id::text || q.job_id)::uuid
      -- The variable, known before the look into the table, spares every other claim a walk through the leases of its queue.
      WHERE repeated AND x.again
    )
    SELECT g.c, number, g.job_id, queue, j.payload, g.priority, g.retry_count, g.max_retries, j.timeout_seconds, g.lease_id,
      g.lease_expires_at, g.created_at, coalesce(g.due_at, j.scheduled_at), g.started_at, j.idempotency_key, j.traceparent, g.worker_id,
      g.place > 0 AND (SELECT has_subscribers_v1(org, 'job.started'))
    FROM (SELECT * FROM granted UNION ALL SELECT * FROM kept) AS g
    JOIN jobs j ON j.id = g.job_id
    ORDER BY g.c, g.place, g.priority DESC, g.created_at, g.job_id;
  END LOOP;
END
$$;
