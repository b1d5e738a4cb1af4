-- Locks leases whose row has expired, over all tenants, for the same transaction: apply_failures_v1 ends those that Redis does not hold
-- either, and those whose attempt has taken as long as it may. Rows that another transaction holds are skipped.
--
-- Input:
--   most      rows at most
--   chosen    only those of these organizations; null = of all
--   left_out  but not those of these
-- Output:
--   timed_out_after   the attempt's timeout in seconds where it has passed
--   cancel_requested  the job is cancelled, not retried
CREATE OR REPLACE FUNCTION lock_expired_leases_v1(most integer, chosen uuid[], left_out uuid[]) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  settings jsonb, timed_out_after integer, cancel_requested boolean)
  LANGUAGE sql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  WITH lost AS MATERIALIZED (
    SELECT q.* FROM job_queue q WHERE q.state = 'leased' AND q.lease_expires_at <= current_ts(statement_timestamp())
      AND (chosen IS NULL OR q.organization_id = ANY (chosen)) AND q.organization_id <> ALL (left_out)
    ORDER BY q.lease_expires_at LIMIT most FOR UPDATE SKIP LOCKED
  )
  SELECT l.job_id, l.organization_id, l.queue_name, l.worker_id, l.lease_id, l.retry_count, l.max_retries,
    retry_settings_v1(c.settings, j.settings),
    CASE WHEN l.started_at + make_interval(secs => l.timeout_seconds) <= current_ts(statement_timestamp()) THEN l.timeout_seconds END,
    l.cancel_requested_at IS NOT NULL
  FROM lost l LEFT JOIN queue_config c ON c.organization_id = l.organization_id AND c.queue_name = l.queue_name
  LEFT JOIN LATERAL (SELECT settings FROM jobs WHERE id = l.job_id OFFSET 0) AS j ON true
$$;
