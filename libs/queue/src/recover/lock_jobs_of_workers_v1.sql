-- Locks the jobs of workers that have gone offline, as lock_expired_leases_v1 does for expired leases. A lease that was renewed is left
-- to end by itself: its holder works, although the worker's own heartbeats do not arrive (they may be sent too rarely).
--
-- Input:
--   organization_ids, worker_ids  one entry for each worker
--   most                          rows at most
-- Relies on: job_queue_leased. Planned at each call: a kept plan that was made while few jobs were leased reads all leased jobs (5,000 in
-- place of 40).
CREATE OR REPLACE FUNCTION lock_jobs_of_workers_v1(organization_ids uuid[], worker_ids text[], most integer) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  cancel_requested boolean)
  LANGUAGE sql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan
AS $$
  WITH lost AS MATERIALIZED (
    SELECT q.* FROM unnest(organization_ids, worker_ids) AS offline (organization_id, worker_id)
    JOIN job_queue q ON q.organization_id = offline.organization_id AND q.worker_id = offline.worker_id
    WHERE q.state = 'leased' AND NOT q.renewed LIMIT most FOR UPDATE OF q SKIP LOCKED
  )
  SELECT l.job_id, l.organization_id, l.queue_name, l.worker_id, l.lease_id, l.retry_count, l.max_retries,
    l.cancel_requested_at IS NOT NULL
  FROM lost l
$$;
