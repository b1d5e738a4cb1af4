-- Asks the workers of running jobs to end them. The request is recorded once: a repeated one changes nothing, unless its grace ends
-- sooner. The rows of waiting jobs are locked as well, so that the caller can cancel them in the same transaction.
--
-- Input:
--   org
--   ids
--   reason  of the caller, for the history, or null
--   grace   seconds after which the lease ends, renewed or not; null: only with the attempt. The attempt's time is shortened to it, in
--           whole seconds, so that all that bounds a lease by its attempt bounds it by the grace.
-- Output: the live jobs; of waiting ones lease_id and requested_at are null
--   is_new   whether this is the first request
--   renewed  whether Redis may hold the lease beyond its row
-- Relies on: job_queue primary key
CREATE OR REPLACE FUNCTION request_cancellation_v1(org uuid, ids uuid[], reason text, grace integer) RETURNS TABLE (
  job_id uuid, queue_name text, worker_id text, lease_id uuid, requested_at timestamptz, is_new boolean, renewed boolean)
  LANGUAGE sql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
  WITH live AS MATERIALIZED (
    SELECT q.*, ceil(extract(epoch FROM current_ts(statement_timestamp()) - q.started_at) + grace - 1)::integer AS graced_seconds
    FROM job_queue q WHERE q.organization_id = org AND q.job_id = ANY (ids) ORDER BY q.job_id FOR UPDATE
  ), asked AS (
    -- After the locks: what they waited for comes first in the history.
    UPDATE job_queue q SET cancel_requested_at = coalesce(l.cancel_requested_at, current_ts(clock_timestamp())),
      timeout_seconds = least(l.timeout_seconds, l.graced_seconds),
      lease_expires_at = least(l.lease_expires_at, current_ts(statement_timestamp()) + make_interval(secs => grace))
    FROM live l WHERE q.job_id = l.job_id AND q.job_id = ANY (ids) AND l.state::text = 'leased'
    RETURNING q.job_id, q.cancel_requested_at
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, worker_id, actor, details)
    SELECT org, l.job_id, CASE WHEN l.cancel_requested_at IS NULL THEN a.cancel_requested_at ELSE current_ts(clock_timestamp()) END,
      'cancel_requested', l.worker_id, nullif(current_setting('app.actor', true), ''),
      json_strip_nulls(json_build_object('reason', reason, 'grace_seconds', grace))
    FROM live l JOIN asked a ON a.job_id = l.job_id
    WHERE l.cancel_requested_at IS NULL OR l.graced_seconds < l.timeout_seconds
  )
  SELECT l.job_id, l.queue_name, l.worker_id, CASE WHEN a.job_id IS NOT NULL THEN l.lease_id END, a.cancel_requested_at,
    a.job_id IS NOT NULL AND l.cancel_requested_at IS NULL, a.job_id IS NOT NULL AND l.renewed
  FROM live l LEFT JOIN asked a ON a.job_id = l.job_id
$$;
