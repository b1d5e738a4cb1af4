-- Maintenance over all tenants; run as spooled_system. Rows that somebody else works on are skipped, so any number of
-- schedulers may run these at once.

-- The next moment at which something has to happen: a waiting job is due, a lease ends, or a job expires. Null when nothing waits.
-- Relies on: job_queue_due, job_queue_lease, job_queue_expiry (one index probe each).
CREATE FUNCTION next_deadline_v1() RETURNS timestamptz
  LANGUAGE sql STABLE
AS $$
  SELECT least(
    (SELECT min(due_at) FROM job_queue WHERE state IN ('scheduled', 'retrying')),
    (SELECT min(lease_expires_at) FROM job_queue WHERE state = 'leased'))
$$;

CREATE FUNCTION activate_due_jobs_v1(most integer) RETURNS TABLE (job_id uuid, organization_id uuid, queue_name text, old live_state)
  LANGUAGE sql
AS $$
  WITH due AS MATERIALIZED (
    SELECT q.job_id, q.state FROM job_queue q
    WHERE q.state IN ('scheduled', 'retrying') AND q.due_at <= statement_timestamp()
    ORDER BY q.due_at LIMIT most FOR UPDATE SKIP LOCKED
  )
  UPDATE job_queue q SET state = 'ready' FROM due WHERE q.job_id = due.job_id
  RETURNING q.job_id, q.organization_id, q.queue_name, due.state
$$;

-- Locks leases whose row has expired for the same transaction: apply_failures_v1 ends those that Redis does not hold either.
CREATE FUNCTION lock_expired_leases_v1(most integer) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  settings jsonb)
  LANGUAGE sql
AS $$
  WITH lost AS MATERIALIZED (
    SELECT q.* FROM job_queue q WHERE q.state = 'leased' AND q.lease_expires_at <= statement_timestamp()
    ORDER BY q.lease_expires_at LIMIT most FOR UPDATE SKIP LOCKED
  )
  SELECT l.job_id, l.organization_id, l.queue_name, l.worker_id, l.lease_id, l.retry_count, l.max_retries, c.settings
  FROM lost l LEFT JOIN queue_config c ON c.organization_id = l.organization_id AND c.queue_name = l.queue_name
$$;

-- The same for the jobs of workers that have gone silent.
CREATE FUNCTION lock_jobs_of_workers_v1(silent text[]) RETURNS TABLE (
  job_id uuid, organization_id uuid, queue_name text, worker_id text, lease_id uuid, retry_count smallint, max_retries smallint,
  settings jsonb)
  LANGUAGE sql
AS $$
  WITH lost AS MATERIALIZED (
    SELECT q.* FROM job_queue q JOIN workers w ON w.id = q.worker_id AND w.organization_id = q.organization_id
    WHERE w.id = ANY (silent) AND q.state = 'leased' ORDER BY q.job_id FOR UPDATE OF q SKIP LOCKED
  )
  SELECT l.job_id, l.organization_id, l.queue_name, l.worker_id, l.lease_id, l.retry_count, l.max_retries, c.settings
  FROM lost l LEFT JOIN queue_config c ON c.organization_id = l.organization_id AND c.queue_name = l.queue_name
$$;

-- Jobs whose expiry passed before a worker took them, for cancel_jobs_v1 under their own organization.
CREATE FUNCTION find_expired_jobs_v1(most integer) RETURNS TABLE (job_id uuid, organization_id uuid)
  LANGUAGE sql STABLE
AS $$
  SELECT q.job_id, q.organization_id FROM job_queue q
  WHERE q.expires_at <= statement_timestamp() AND q.state <> 'leased' ORDER BY q.expires_at LIMIT most
$$;

-- Blocked jobs that nothing will unblock any more: every parent has completed, or one that was needed has not, or a parent's
-- record vanished an hour ago. The safety net below release and cascade (SP-51); in a healthy system it finds nothing.
CREATE FUNCTION find_orphans_v1(most integer) RETURNS TABLE (job_id uuid, organization_id uuid, parent uuid, outcome job_status)
  LANGUAGE sql STABLE
AS $$
  SELECT q.job_id, q.organization_id, d.depends_on_job_id, p.outcome
  FROM job_queue q
  JOIN jobs c ON c.id = q.job_id
  LEFT JOIN job_dependencies d ON d.job_id = q.job_id
  LEFT JOIN jobs p ON p.id = d.depends_on_job_id
  WHERE NOT q.dependencies_met AND CASE
    WHEN p.id IS NULL THEN q.created_at < now() - interval '1 hour'
    WHEN p.outcome IS NULL THEN false
    WHEN p.outcome = 'completed' THEN c.dependency_mode = 'any' OR NOT EXISTS (
      SELECT FROM job_dependencies d2 JOIN jobs p2 ON p2.id = d2.depends_on_job_id
      WHERE d2.job_id = q.job_id AND p2.outcome IS DISTINCT FROM 'completed')
    ELSE c.dependency_mode IS DISTINCT FROM 'any' OR NOT EXISTS (
      SELECT FROM job_dependencies d2 JOIN jobs p2 ON p2.id = d2.depends_on_job_id
      WHERE d2.job_id = q.job_id AND (p2.outcome IS NULL OR p2.outcome = 'completed'))
  END
  ORDER BY q.created_at LIMIT most
$$;
