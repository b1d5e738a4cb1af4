-- Grants leases to all waiting workers of many tenants and queues in one call; rows that another claimer holds are skipped (SP-21,
-- SP-22). A claim that may have run before is answered by find_leases_of_claim_v1 first.
--
-- Input:
--   batch  [{organization, queue, from?: {priority, created_at}, claims: [{command, id, worker, lease_seconds, max_jobs, max_bytes}]}], in order of
--          organization and queue
--     from  what was granted last. With it, claims begin to look there: while an old snapshot keeps vacuum from the entries of granted
--           jobs, the others scan all of them (30,000: 2.7 ms and 935 buffers, from there 0.06 and 18). What lies before it is
--           then found only when nothing else is; callers leave `from` away from time to time, and always while searches are quick.
--     id    of the claim. A lease id is derived from claim and job, so that a repeated claim recognizes the jobs that it already got.
--   budget  bytes of payloads, for all claims together: a claim that finds them used up is put off. Organizations share what is left
--           equally, each has its first claim while any is left, and a claim that has begun is granted whole.
-- Output: the granted jobs. Rows without a command are scheduled jobs that this claim found due and made pending at started_at; those
--   without a job are claims that were put off. part: number of the entry of `batch`; search_ms: how long the search for ready jobs
--   took, for the decision about `from`, 0 if it skipped few entries; has_subscribers: the organization has a webhook for job.started.
-- Relies on: job_queue_claim (the order), job_queue_waiting (due rows), job_queue_leased (concurrency)
--
-- `settings.concurrency` bounds the unexpired leases of its queue (MQ-03). Claims of such a queue take turns, because two that count
-- at the same moment would both find room; parts come in order of organization and queue, so that two batches cannot wait for each
-- other. Queues without it pay nothing.
--
-- Plans are made once for each session, or planning takes most of the time: 20 claims of empty queues 30 ms, with kept plans 4.
-- A kept plan may stem from a time when tables were empty, so statements are written such that no plan can read more than the rows
-- in question: rows are chosen in the order of an index and then reached by an array of their keys; sets are joined only where both
-- sides are bounded so. A claim of 100 that joined by key, planned over empty tables, took 220 ms once 15,000 jobs had come; this
-- takes 3. prisma/plans.spec.ts holds it.
CREATE OR REPLACE FUNCTION claim_jobs_v1(batch json, budget bigint) RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_material = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  item json;
  number integer := -1;
  org uuid;
  last_org uuid;
  orgs_left integer := (SELECT count(DISTINCT value ->> 'organization') FROM json_array_elements(batch));
  share bigint;
  put_off granted_job_v1;
  fit record;
  queue text;
  active boolean;
  concurrency integer;
  resumed timestamptz;
  room integer;
  most integer;
  search_began timestamptz;
  read_before bigint;
  search_ms real;
  ids uuid[];
  activated uuid[];
BEGIN
  FOR item IN SELECT value FROM json_array_elements(batch) LOOP
    number := number + 1;
    put_off.part := number;
    org := (item ->> 'organization')::uuid;
    queue := item ->> 'queue';
    PERFORM set_config('app.current_org_id', org::text, true);
    IF org IS DISTINCT FROM last_org THEN
      share := ceil(budget::numeric / orgs_left);
      orgs_left := orgs_left - 1;
      last_org := org;
    END IF;
    IF share <= 0 THEN
      FOR put_off.command IN SELECT x.command FROM json_to_recordset(item -> 'claims') AS x(command integer) LOOP
        RETURN NEXT put_off;
      END LOOP;
      CONTINUE;
    END IF;
    -- Read here and not from a cache: a pause holds from its commit on.
    SELECT c.enabled, queue_concurrency_v1(c.settings), c.resumed_at INTO active, concurrency, resumed
    FROM queue_config c WHERE c.organization_id = org AND c.queue_name = queue;
    CONTINUE WHEN NOT active;
    -- Its jobs are being deleted: those that came later wait until the others are gone.
    CONTINUE WHEN EXISTS (
      SELECT FROM queue_deletions d WHERE d.organization_id = org AND d.queue_name = queue AND d.has_live_jobs);

    SELECT coalesce(array_agg(d.job_id), '{}'), coalesce(array_agg(d.job_id) FILTER (WHERE d.state = 'scheduled'), '{}')
      INTO ids, activated
    FROM (
      SELECT q.job_id, q.state FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state IN ('scheduled', 'retrying') AND q.due_at <= moment
      ORDER BY q.due_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    ) AS d;
    IF cardinality(ids) > 0 THEN
      RETURN QUERY
      WITH made_ready AS (
        UPDATE job_queue q SET state = 'ready' WHERE q.job_id = ANY (ids)
      ), past AS (
        INSERT INTO job_history (organization_id, job_id, at, event, actor)
        SELECT org, job_id, moment, 'activated', 'system due-jobs' FROM unnest(activated) AS job_id
      )
      SELECT NULL::integer, number, job_id, queue, NULL::json, NULL::smallint, NULL::smallint, NULL::smallint, NULL::integer,
        NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, moment, NULL::text, NULL::text, NULL::text,
        false, NULL::real, NULL::integer, NULL::text[]
      FROM unnest(activated) AS job_id;
    END IF;

    room := NULL;
    IF concurrency IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('claim:' || org || ':' || queue, 0));
      -- Expired leases do not count: a queue must not stop because they have not been recovered yet.
      SELECT greatest(0, concurrency - count(*)) INTO room FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'leased' AND q.lease_expires_at > moment;
    END IF;

    most := least((SELECT sum(x.max_jobs) FROM json_to_recordset(item -> 'claims') AS x(max_jobs integer)), room);
    search_began := clock_timestamp();
    read_before := pg_stat_get_xact_tuples_returned('job_queue_claim'::regclass);
    ids := '{}';
    IF item -> 'from' IS NOT NULL THEN
      ids := ARRAY(
        SELECT q.job_id FROM job_queue q
        WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
          AND (q.expires_at IS NULL OR q.expires_at > moment) AND q.priority > (item #>> '{from,priority}')::smallint
        ORDER BY q.priority DESC, q.created_at, q.job_id LIMIT most FOR UPDATE SKIP LOCKED);
      ids := ids || ARRAY(
        SELECT q.job_id FROM job_queue q
        WHERE q.organization_id = org AND q.queue_name = queue AND q.state = 'ready' AND q.dependencies_met
          AND (q.expires_at IS NULL OR q.expires_at > moment)
          AND q.priority = (item #>> '{from,priority}')::smallint AND q.created_at >= (item #>> '{from,created_at}')::timestamptz
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
      -- Only skipped entries (of dead, locked and expired rows) slow down later searches too. A busy machine must not cost a queue its order.
      search_ms := CASE
        WHEN pg_stat_get_xact_tuples_returned('job_queue_claim'::regclass) - read_before - cardinality(ids) > 1000
        THEN extract(epoch FROM clock_timestamp() - search_began) * 1000
        ELSE 0
      END;
      fit := fit_claims_v1(ids, item -> 'claims', share);
      budget := budget - fit.bytes;
      share := share - fit.bytes;
      FOREACH put_off.command IN ARRAY fit.put_off LOOP
        RETURN NEXT put_off;
      END LOOP;
      RETURN QUERY SELECT * FROM grant_leases_v1(
        org, number, moment, fit.granted, fit.commands, item -> 'claims', search_ms, resumed, cardinality(ids) = room);
    END IF;
  END LOOP;
END
$$;
