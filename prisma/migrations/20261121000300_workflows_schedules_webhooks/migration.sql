-- Writer: libs/queue.
CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  total_jobs integer NOT NULL,
  metadata jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz
);
CREATE INDEX workflows_newest ON workflows (organization_id, created_at DESC);
SELECT protect_tenant_table('workflows');

CREATE TABLE workflow_jobs (
  organization_id uuid NOT NULL,
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  job_id uuid NOT NULL,
  key text NOT NULL,
  PRIMARY KEY (workflow_id, key)
);
CREATE UNIQUE INDEX workflow_jobs_job ON workflow_jobs (job_id);
SELECT protect_tenant_table('workflow_jobs');

-- Writer of schedules: gateway, and the scheduler for next_run_at, last_run_at and run_count by compare-and-swap.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  cron_expression text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC',
  queue_name text NOT NULL,
  payload_template json NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  max_retries integer NOT NULL DEFAULT 3,
  timeout_seconds integer NOT NULL DEFAULT 300,
  is_active boolean NOT NULL DEFAULT true,
  last_run_at timestamptz,
  next_run_at timestamptz,
  run_count integer NOT NULL DEFAULT 0,
  tags jsonb,
  metadata jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX schedules_newest ON schedules (organization_id, created_at DESC);
CREATE INDEX schedules_due ON schedules (next_run_at) WHERE is_active;
SELECT protect_tenant_table('schedules');

-- Writer: scheduler.
CREATE TABLE schedule_runs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  schedule_id uuid NOT NULL REFERENCES schedules ON DELETE CASCADE,
  job_id uuid,
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  error_message text,
  started_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
CREATE INDEX schedule_runs_newest ON schedule_runs (schedule_id, started_at DESC);
SELECT protect_tenant_table('schedule_runs');

-- Writer: gateway for settings, webhooks for the counters of what happened.
CREATE TABLE outgoing_webhooks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret text,
  enabled boolean NOT NULL DEFAULT true,
  failure_count integer NOT NULL DEFAULT 0,
  last_triggered_at timestamptz,
  last_status text CHECK (last_status IN ('success', 'failed', 'auto_disabled')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outgoing_webhooks_newest ON outgoing_webhooks (organization_id, created_at DESC);
SELECT protect_tenant_table('outgoing_webhooks');

-- The outbox. A row is written in the transaction that decides it (by libs/queue) and from then on belongs to webhooks, which
-- delivers it and records what happened. `webhook_id` null: the completion webhook of one job, posted to `url`.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  webhook_id uuid REFERENCES outgoing_webhooks ON DELETE CASCADE,
  job_id uuid,
  event text NOT NULL,
  url text,
  payload json NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  status_code integer,
  response_body text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, webhook_id, created_at DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
SELECT protect_tenant_table('webhook_deliveries');

-- The figures of the last gauge round, over all tenants. Writer: scheduler; read by whoever exports metrics. No tenant data.
CREATE TABLE system_gauges (
  name text PRIMARY KEY,
  value double precision NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON system_gauges TO spooled_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON system_gauges TO spooled_system;
