-- The floor: the layout of the product (a wide record written at enqueue and on completion, a narrow live row for the states in
-- between) without row-level security, counters, partitions, webhooks and API servers. It has only the indexes that a queue needs:
-- both primary keys, claim order and lease expiry. Run as superuser.
DROP SCHEMA IF EXISTS bench_floor CASCADE;
CREATE SCHEMA bench_floor;

CREATE TABLE bench_floor.jobs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  completed_at timestamptz,
  lease_id uuid,
  outcome text,
  timeout_seconds integer NOT NULL,
  priority smallint NOT NULL,
  max_retries smallint NOT NULL,
  retry_count smallint NOT NULL DEFAULT 0,
  queue_name text NOT NULL,
  assigned_worker_id text,
  last_error text,
  payload json NOT NULL,
  result json
);

CREATE TABLE bench_floor.job_queue (
  job_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  lease_id uuid,
  created_at timestamptz NOT NULL,
  lease_expires_at timestamptz,
  started_at timestamptz,
  state text NOT NULL,
  priority smallint NOT NULL,
  retry_count smallint NOT NULL DEFAULT 0,
  max_retries smallint NOT NULL,
  queue_name text NOT NULL,
  worker_id text
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX ON bench_floor.job_queue (organization_id, queue_name, priority DESC, created_at, job_id) WHERE state = 'ready';
CREATE INDEX ON bench_floor.job_queue (lease_expires_at) WHERE state = 'leased';
