-- What each worker has done: jobs that it completed, and failures that it reported.
ALTER TABLE workers
  ADD COLUMN jobs_processed bigint NOT NULL DEFAULT 0,
  ADD COLUMN jobs_failed bigint NOT NULL DEFAULT 0;

-- What was counted since the last merge into `workers`: one row for each batch of an organization, written by the transaction of the
-- batch. Only ever inserted and, by the merge, deleted, so that completions never wait for each other's counters.
CREATE TABLE worker_counts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL,
  -- Failures that were reported; else completions.
  failed boolean NOT NULL,
  workers text[] NOT NULL,
  -- As many as there are workers.
  jobs integer[] NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
SELECT protect_tenant_table('worker_counts');
