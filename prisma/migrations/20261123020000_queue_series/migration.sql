-- How each queue went: counts and depths in steps of 10 s (kept 70 minutes), 1 minute (25 hours) and 1 hour (31 days). Writer: the
-- scheduler, from the differences of job_stats and one scan of the live rows; nothing is added to the writers of jobs. The row of an
-- organization as a whole has an empty queue name. Only ever inserted and deleted.
CREATE TABLE queue_series (
  organization_id uuid NOT NULL,
  -- Seconds.
  step smallint NOT NULL,
  queue_name text NOT NULL,
  -- Where the step begins.
  at timestamptz NOT NULL,
  created integer NOT NULL,
  started integer NOT NULL,
  completed integer NOT NULL,
  retried integer NOT NULL,
  deadlettered integer NOT NULL,
  cancelled integer NOT NULL,
  -- Of the completed jobs.
  wait_ms bigint NOT NULL,
  run_ms bigint NOT NULL,
  -- At the end of the step.
  pending integer NOT NULL,
  scheduled integer NOT NULL,
  processing integer NOT NULL,
  -- Age of the oldest claimable job; the largest of the step.
  oldest_ms bigint NOT NULL,
  -- Queues that are not kept apart for this step; only in the row of the whole organization.
  left_out integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, step, queue_name, at)
);
CREATE INDEX queue_series_oldest ON queue_series (step, at);
SELECT protect_tenant_table('queue_series');

-- The counters of job_stats as the last sample found them.
CREATE TABLE series_counters (
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  hour timestamptz NOT NULL,
  created bigint NOT NULL,
  completed bigint NOT NULL,
  retried bigint NOT NULL,
  deadlettered bigint NOT NULL,
  cancelled bigint NOT NULL,
  wait_ms bigint NOT NULL,
  run_ms bigint NOT NULL,
  PRIMARY KEY (organization_id, queue_name, hour)
) WITH (fillfactor = 70);
CREATE INDEX series_counters_oldest ON series_counters (hour);
SELECT protect_tenant_table('series_counters');

-- When samples were taken, no tenant data: a step without a row here is unknown, and a queue without a row in a step that has one was idle.
CREATE TABLE series_samples (
  step smallint NOT NULL,
  at timestamptz NOT NULL,
  -- The counts of the step are those of this period; they are known if it is the whole step.
  counted_from timestamptz NOT NULL,
  counted_to timestamptz NOT NULL,
  -- Seconds of it that were counted.
  counted_seconds integer NOT NULL,
  -- Whether depths and ages were sampled at the end of the step.
  has_depth boolean NOT NULL,
  PRIMARY KEY (step, at)
);
GRANT SELECT ON series_samples TO spooled_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON series_samples TO spooled_system;
