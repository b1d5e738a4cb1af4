-- Whether the caller holds the lease of a live job: the fence of everything that a worker does with a job. PostgreSQL inlines it,
-- so its arguments are columns and variables (a subquery among them would prevent that), and it is STABLE, as the text of an enum is.
--
-- Input:
--   q        the live row; a caller that changes something has locked it
--   org
--   worker   who shows the lease
--   lease    its id; null: the worker's name alone
--   scope    the queues that its key may touch; null = all
--   renewed  true: Redis holds the lease beyond the row's end
--   moment   when it is asked
-- The state is compared as text: compared as what it is, a plan from the time of an empty table may look through all leases.
CREATE OR REPLACE FUNCTION holds_lease_v1(
  q job_queue, org uuid, worker text, lease text, scope text[], renewed boolean, moment timestamptz) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT q.organization_id = org AND q.state::text = 'leased' AND q.worker_id = worker
    AND (q.lease_expires_at > moment OR renewed)
    AND (lease IS NULL OR q.lease_id::text = lease)
    AND (scope IS NULL OR q.queue_name = ANY (scope))
$$;
