-- Releases the jobs of claims whose response reached no worker; costs no attempt.
--
-- Input:
--   org
--   claims  [{claim, queue, worker}]
-- Output: the jobs that are claimable again, and those that stay leased because their end was requested (cancel_requested): cancel them
-- Relies on: job_queue_leased
CREATE OR REPLACE FUNCTION release_claims_v1(org uuid, claims json) RETURNS TABLE (
  job_id uuid, queue_name text, lease_id uuid, released_at timestamptz, cancel_requested boolean)
  LANGUAGE sql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
  WITH held AS MATERIALIZED (
    SELECT q.job_id, q.queue_name, q.lease_id, q.cancel_requested_at IS NOT NULL AS cancel_requested
    FROM json_to_recordset(claims) AS c(claim uuid, queue text, worker text) CROSS JOIN LATERAL (
      SELECT q.* FROM job_queue q
      WHERE q.organization_id = org AND q.queue_name = c.queue AND q.worker_id = c.worker AND q.state = 'leased'
        AND q.lease_id = md5(c.claim::text || q.job_id)::uuid
      ORDER BY q.job_id FOR UPDATE
    ) AS q
  ), freed AS (
    UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
    FROM held h WHERE q.job_id = h.job_id AND NOT h.cancel_requested
  )
  SELECT h.job_id, h.queue_name, h.lease_id, current_ts(), h.cancel_requested FROM held h
$$;
