-- How long jobs waited and ran, as histograms: a bucket of libs/domain/src/latency.ts and how many jobs are in it. Empty where none was
-- measured, as in all rows of a scheduler of the previous release.
ALTER TABLE queue_series
  -- Of the attempts that began in the step, from claimable to started.
  ADD COLUMN wait_buckets smallint[] NOT NULL DEFAULT '{}',
  ADD COLUMN wait_jobs integer[] NOT NULL DEFAULT '{}',
  -- Of the jobs that completed in the step.
  ADD COLUMN run_buckets smallint[] NOT NULL DEFAULT '{}',
  ADD COLUMN run_jobs integer[] NOT NULL DEFAULT '{}';

-- What processes have measured since the last sample; the sample takes the rows away. Only ever inserted and deleted. Unlogged: after a
-- crash of PostgreSQL a few seconds of measurements are missing, and nothing else.
CREATE UNLOGGED TABLE latency_counts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  queue_name text NOT NULL,
  wait_buckets smallint[] NOT NULL,
  wait_jobs integer[] NOT NULL,
  run_buckets smallint[] NOT NULL,
  run_jobs integer[] NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
SELECT protect_tenant_table('latency_counts');
