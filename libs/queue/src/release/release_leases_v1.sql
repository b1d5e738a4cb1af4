-- Releases jobs whose worker can no longer end them (its connection closed, or they never reached it). Costs no attempt. Fenced by
-- the lease id, so that a later holder is left alone; leases that have expired belong to the recovery.
--
-- Input:
--   org
--   leases  [{id, lease, renewed?, held?, delay_ms?}]: job, lease id, whether Redis holds the lease beyond the row's end, whether the
--           worker had received the job: then its history shows the attempt; after which time it is claimable, absent = at once
-- Output: the jobs that are claimable again, and those that stay leased because their end was requested (cancel_requested): cancel them
-- Relies on: job_queue primary key
CREATE OR REPLACE FUNCTION release_leases_v1(org uuid, leases json) RETURNS TABLE (
  job_id uuid, queue_name text, released_at timestamptz, cancel_requested boolean)
  LANGUAGE sql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
  WITH held AS MATERIALIZED (
    SELECT q.*, q.cancel_requested_at IS NOT NULL AS cancel_requested, x.held, x.delay_ms
    -- As in complete_part_v1.
    FROM (SELECT * FROM json_to_recordset(leases) AS x(id uuid, lease uuid, renewed boolean, held boolean, delay_ms bigint) ORDER BY id) AS x CROSS JOIN LATERAL (
      SELECT q.job_id, q.queue_name, q.worker_id, q.lease_id, q.started_at, q.retry_count, q.cancel_requested_at FROM job_queue q
      WHERE q.job_id = x.id AND q.lease_id = x.lease
        AND holds_lease_v1(q, org, q.worker_id, NULL, NULL, x.renewed, current_ts(statement_timestamp()))
      FOR UPDATE
    ) AS q
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, actor, details)
    -- After the locks: what they waited for comes first in the history.
    SELECT org, h.job_id, current_ts(clock_timestamp()), 'released', h.retry_count + 1, h.worker_id, h.started_at, h.lease_id,
      nullif(current_setting('app.actor', true), ''), json_build_object('reason', nullif(current_setting('app.reason', true), ''))
    FROM held h WHERE h.held AND NOT h.cancel_requested
  ), freed AS (
    UPDATE job_queue q SET state = CASE WHEN h.delay_ms > 0 THEN 'retrying' ELSE 'ready' END::live_state,
      due_at = CASE WHEN h.delay_ms > 0 THEN current_ts(statement_timestamp()) + h.delay_ms * interval '1 millisecond' ELSE q.due_at END,
      worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
    FROM held h WHERE q.job_id = h.job_id AND NOT h.cancel_requested
  )
  SELECT h.job_id, h.queue_name, current_ts(), h.cancel_requested FROM held h
$$;
