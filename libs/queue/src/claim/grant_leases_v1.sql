-- Grants locked jobs to claims. A function of its own, because here sets may be joined by hash.
--
-- Input:
--   org
--   part       number of the claims' entry in the batch
--   moment     when the attempts begin. A lease ends with the attempt at the latest, a second after its
--              timeout: a worker that ends the attempt by its own timer has that second to report it.
--   ids        locked jobs, in the order in which they are granted
--   commands   the claim of each
--   claims     as for claim_jobs_v1
--   search_ms  passed on
--   resumed    when the last pause of the queue ended, or null
--   is_last    whether these jobs take the last free slots of the queue's concurrency limit
-- Output: as claim_jobs_v1
CREATE OR REPLACE FUNCTION grant_leases_v1(org uuid, part integer, moment timestamptz, ids uuid[], commands integer[], claims json,
  search_ms real, resumed timestamptz, is_last boolean)
  RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  has_subscribers boolean := has_subscribers_v1(org, 'job.started');
  sorted uuid[] := ARRAY(SELECT id FROM unnest(ids) AS id ORDER BY id);
BEGIN
  RETURN QUERY
  WITH ranked AS MATERIALIZED (
    SELECT r.job_id, r.place, c.command, c.id, c.worker, c.lease_seconds
    FROM ROWS FROM (unnest(ids), unnest(commands)) WITH ORDINALITY AS r(job_id, command, place)
    JOIN json_to_recordset(claims) AS c(command integer, id uuid, worker text, lease_seconds integer) USING (command)
  ), granted AS (
    UPDATE job_queue q SET state = 'leased', worker_id = r.worker, lease_id = md5(r.id::text || q.job_id)::uuid,
      lease_expires_at = least(
        current_ts(clock_timestamp()) + make_interval(secs => r.lease_seconds), moment + make_interval(secs => j.timeout_seconds + 1)),
      started_at = moment, timeout_seconds = j.timeout_seconds, renewed = false, progress = NULL, progress_message = NULL,
      progress_at = NULL
    -- The range as well: partitions are left out by comparison, not by membership in an array.
    FROM ranked r JOIN jobs j ON j.id = r.job_id AND j.id = ANY (ids) AND j.id BETWEEN sorted[1] AND sorted[cardinality(sorted)]
    WHERE q.job_id = r.job_id AND q.job_id = ANY (ids)
    RETURNING r.command, r.place, q.job_id, q.queue_name, j.payload, q.priority, q.retry_count, q.max_retries, q.timeout_seconds,
      q.lease_id, q.lease_expires_at, q.created_at, coalesce(q.due_at, j.scheduled_at) AS scheduled_at, q.started_at,
      j.idempotency_key, j.traceparent, q.worker_id,
      CASE WHEN j.traceparent IS NOT NULL THEN array_remove(ARRAY[
        CASE WHEN j.dependency_mode IS NOT NULL AND q.retry_count = 0 THEN 'dependencies' END,
        CASE WHEN q.retry_count > 0 THEN 'retry_backoff' WHEN j.scheduled_at > q.created_at THEN 'scheduled' END,
        CASE WHEN resumed > coalesce(q.due_at, q.created_at) THEN 'queue_paused' END,
        CASE WHEN is_last THEN 'concurrency_limit' END], NULL) END AS wait_reasons
  )
  SELECT g.command, part, g.job_id, g.queue_name, g.payload, g.priority, g.retry_count, g.max_retries, g.timeout_seconds, g.lease_id,
    g.lease_expires_at, g.created_at, g.scheduled_at, g.started_at, g.idempotency_key, g.traceparent, g.worker_id,
    has_subscribers, search_ms, NULL::integer, g.wait_reasons
  FROM granted g ORDER BY g.place;
END
$$;
