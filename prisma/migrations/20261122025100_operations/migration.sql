-- Acts on many jobs or rows that run in the background, in bounded steps.
--
-- Writer: gateway (creation and cancellation), libs/queue (progress). No reference to organizations: the deletion of one is an
-- operation as well and outlives it.
CREATE TABLE operations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deadletter.replay', 'deadletter.purge', 'job.cancel', 'queue.delete', 'organization.delete')),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'completed', 'stopped', 'cancelled')),
  -- The queues that it may touch; empty = all. Keys of fewer queues do not see it.
  queues text[] NOT NULL DEFAULT '{}',
  filter jsonb NOT NULL DEFAULT '{}',
  settings jsonb NOT NULL DEFAULT '{}',
  -- json, not jsonb: its numbers go into payloads as they were sent.
  payload_patch json,
  -- At creation; null: more than were counted.
  total bigint,
  processed bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  succeeded bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  ended_otherwise bigint NOT NULL DEFAULT 0,
  -- Why it was stopped, or what it waits for.
  reason text,
  actor text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Null: nothing left to do.
  next_step_at timestamptz DEFAULT clock_timestamp(),
  -- Up to when its rate has been used.
  rate_used_until timestamptz,
  failures smallint NOT NULL DEFAULT 0
);
CREATE INDEX operations_due ON operations (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE INDEX operations_newest ON operations (organization_id, created_at DESC, id DESC);
SELECT protect_tenant_table('operations');

-- The jobs of a replay: no job is replayed twice by one operation, and how each ended decides whether it goes on.
-- Writer: libs/queue.
CREATE TABLE operation_items (
  operation_id uuid NOT NULL REFERENCES operations ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'succeeded', 'failed', 'ended_otherwise', 'refused')),
  error text,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (operation_id, job_id)
);
CREATE INDEX operation_items_open ON operation_items (operation_id, state, checked_at) WHERE state IN ('waiting', 'refused');
SELECT protect_tenant_table('operation_items');
