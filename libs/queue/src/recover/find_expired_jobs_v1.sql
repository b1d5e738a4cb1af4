-- Expired jobs that no worker holds, over all tenants, to be ended under their own organization.
--
-- Input:
--   most      rows at most
--   left_out  organizations whose jobs are left for later
CREATE OR REPLACE FUNCTION find_expired_jobs_v1(most integer, left_out uuid[]) RETURNS TABLE (job_id uuid, organization_id uuid)
  LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  SELECT q.job_id, q.organization_id FROM job_queue q
  WHERE q.expires_at <= current_ts(statement_timestamp()) AND q.state <> 'leased'
    AND q.organization_id <> ALL (left_out)
  ORDER BY q.expires_at LIMIT most
$$;
