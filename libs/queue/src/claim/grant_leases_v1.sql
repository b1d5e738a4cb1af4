-- Grants locked jobs, in the order of `ids`, to the claims in theirs. A function of its own, because here sets may be joined by hash.
-- A claim gets no more jobs once it has max_bytes of payloads: they are in memory on their whole way, and 30 of 1 MB kept the claims of
-- all organizations in the transaction waiting for 2.5 s. A claim that finds `budget` used up by those before it is put off. Jobs that are
-- not granted stay as they are.
--
-- Input:
--   org
--   part       number of the claims' entry in the batch
--   moment     when the attempts begin. A lease ends with the attempt at the latest, a second after its
--              timeout: a worker that ends the attempt by its own timer has that second to report it.
--   ids        locked jobs, in the order in which they are granted
--   claims     as for claim_jobs_v1
--   search_ms  passed on
--   budget     bytes of payloads, for all these claims
--   resumed    when the last pause of the queue ended, or null
--   is_last    whether these jobs take the last free slots of the queue's concurrency limit
-- Output: as claim_jobs_v1
CREATE OR REPLACE FUNCTION grant_leases_v1(org uuid, part integer, moment timestamptz, ids uuid[], claims json, search_ms real, budget bigint,
  resumed timestamptz, is_last boolean)
  RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  has_subscribers boolean := has_subscribers_v1(org, 'job.started');
  sorted uuid[] := ARRAY(SELECT id FROM unnest(ids) AS id ORDER BY id);
BEGIN
  RETURN QUERY
  WITH seats AS MATERIALIZED (
    SELECT x.command, x.id, x.worker, x.lease_seconds, x.max_bytes, sum(x.max_jobs) OVER (ORDER BY x.command) - x.max_jobs AS after,
      sum(x.max_jobs) OVER (ORDER BY x.command) AS upto
    FROM json_to_recordset(claims) AS x(command integer, id uuid, worker text, lease_seconds integer, max_jobs integer, max_bytes integer)
  ), ranked AS MATERIALIZED (
    SELECT r.job_id, r.place, s.command, s.id, s.worker, s.lease_seconds, s.max_bytes
    FROM unnest(ids) WITH ORDINALITY AS r(job_id, place) JOIN seats s ON r.place > s.after AND r.place <= s.upto
  ), found AS MATERIALIZED (
    -- The stored size is at most that of the text, apart from a header, and is known without reading the payload: 100 of 1 MB cost 0.8 s to
    -- read, for a claim that gets 8 of them.
    SELECT r.*, j.payload, j.timeout_seconds, j.scheduled_at, j.idempotency_key, j.traceparent, j.dependency_mode,
      pg_column_size(j.payload) - 4 AS stored
    -- The range as well: partitions are left out by comparison, not by membership in an array.
    FROM ranked r JOIN jobs j ON j.id = r.job_id AND j.id = ANY (ids) AND j.id BETWEEN sorted[1] AND sorted[cardinality(sorted)]
  ), near AS (
    SELECT f.*, coalesce(sum(f.stored) OVER claims_before, 0) < budget AS may_begin
    FROM (SELECT *, sum(stored) OVER jobs_before AS stored_before FROM found WINDOW jobs_before AS (
      PARTITION BY command ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS f
    WHERE f.stored_before IS NULL OR f.stored_before < f.max_bytes
    WINDOW claims_before AS (ORDER BY command GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), sized AS MATERIALIZED (
    SELECT *, CASE WHEN may_begin THEN octet_length(payload::text) END AS bytes FROM near
  ), fitting AS MATERIALIZED (
    SELECT s.*, may_begin AND coalesce(sum(s.bytes) OVER claims_before, 0) < budget AS begins
    FROM (SELECT *, sum(bytes) OVER jobs_before AS bytes_before FROM sized WINDOW jobs_before AS (
      PARTITION BY command ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS s
    WHERE s.bytes_before IS NULL OR s.bytes_before < s.max_bytes
    WINDOW claims_before AS (ORDER BY command GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), granted AS (
    UPDATE job_queue q SET state = 'leased', worker_id = r.worker, lease_id = md5(r.id::text || q.job_id)::uuid,
      lease_expires_at = least(
        current_ts(clock_timestamp()) + make_interval(secs => r.lease_seconds), moment + make_interval(secs => r.timeout_seconds + 1)),
      started_at = moment, timeout_seconds = r.timeout_seconds, renewed = false, progress = NULL, progress_message = NULL,
      progress_at = NULL
    FROM fitting r WHERE q.job_id = r.job_id AND q.job_id = ANY (ids) AND r.begins
    RETURNING r.command, r.place, q.job_id, q.queue_name, r.payload, q.priority, q.retry_count, q.max_retries, q.timeout_seconds,
      q.lease_id, q.lease_expires_at, q.created_at, coalesce(q.due_at, r.scheduled_at) AS scheduled_at, q.started_at,
      r.idempotency_key, r.traceparent, q.worker_id, r.bytes,
      CASE WHEN r.traceparent IS NOT NULL THEN array_remove(ARRAY[
        CASE WHEN r.dependency_mode IS NOT NULL AND q.retry_count = 0 THEN 'dependencies' END,
        CASE WHEN q.retry_count > 0 THEN 'retry_backoff' WHEN r.scheduled_at > q.created_at THEN 'scheduled' END,
        CASE WHEN resumed > coalesce(q.due_at, q.created_at) THEN 'queue_paused' END,
        CASE WHEN is_last THEN 'concurrency_limit' END], NULL) END AS wait_reasons
  )
  SELECT g.command, part, g.job_id, g.queue_name, g.payload, g.priority, g.retry_count, g.max_retries, g.timeout_seconds, g.lease_id,
    g.lease_expires_at, g.created_at, g.scheduled_at, g.started_at, g.idempotency_key, g.traceparent, g.worker_id,
    has_subscribers, search_ms, g.bytes, g.wait_reasons
  FROM (
    SELECT * FROM granted
    UNION ALL
    SELECT r.command, min(r.place), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, moment, NULL, NULL, NULL, NULL, NULL
    FROM fitting r WHERE NOT r.begins GROUP BY r.command
  ) AS g ORDER BY g.place;
END
$$;
