-- Worker ids are chosen by callers, so they are unique within an organization: over all of them, a refusal told one organization
-- which ids another one uses. Services of before this migration cannot register workers after it (their statement names the old
-- key); everything else of theirs works.
ALTER TABLE workers DROP CONSTRAINT workers_pkey, ADD PRIMARY KEY (organization_id, id);

-- Locks the jobs of workers that have gone offline, as lock_expired_leases_v1. The arrays have one entry for each worker.
-- Relies on: job_queue_leased.
CREATE FUNCTION lock_jobs_of_workers_v2(organization_ids uuid[], worker_ids text[]) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  settings jsonb)
  LANGUAGE sql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  WITH lost AS MATERIALIZED (
    SELECT q.* FROM unnest(organization_ids, worker_ids) AS gone (organization_id, worker_id)
    JOIN job_queue q ON q.organization_id = gone.organization_id AND q.worker_id = gone.worker_id
    WHERE q.state = 'leased' ORDER BY q.job_id FOR UPDATE OF q SKIP LOCKED
  )
  SELECT l.job_id, l.organization_id, l.queue_name, l.worker_id, l.lease_id, l.retry_count, l.max_retries, c.settings
  FROM lost l LEFT JOIN queue_config c ON c.organization_id = l.organization_id AND c.queue_name = l.queue_name
$$;

-- For schedulers of before this migration, which know ids only: spares living workers of other organizations under the same id.
CREATE OR REPLACE FUNCTION lock_jobs_of_workers_v1(silent text[]) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  settings jsonb)
  LANGUAGE sql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  SELECT * FROM lock_jobs_of_workers_v2(
    ARRAY(SELECT w.organization_id FROM workers w WHERE w.id = ANY (silent) AND w.status = 'offline' ORDER BY w.organization_id, w.id),
    ARRAY(SELECT w.id FROM workers w WHERE w.id = ANY (silent) AND w.status = 'offline' ORDER BY w.organization_id, w.id))
$$;
