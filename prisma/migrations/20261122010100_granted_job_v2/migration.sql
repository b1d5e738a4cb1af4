-- A job that a claim was granted (claim_jobs_v2, adopt_leases_v2). Against granted_job_v1: `told` is has_subscribers (the organization has
-- a webhook for job.started), and search_ms says how long the search for ready jobs took.
CREATE TYPE granted_job_v2 AS (
  command integer, part integer, job_id uuid, queue_name text, payload json, priority smallint, retry_count smallint,
  max_retries smallint, timeout_seconds integer, lease_id uuid, lease_expires_at timestamptz, created_at timestamptz,
  scheduled_at timestamptz, started_at timestamptz, idempotency_key text, traceparent text, worker_id text,
  has_subscribers boolean, search_ms real);
