-- The database of Spooled 0.1.0: roles, types, tables, indexes, policies and triggers. Functions have files of their own
-- (libs/*/src/**/<function>.sql), which the migration runner installs in the same transaction.
--
-- Contents: roles · isolation · time · ids · functions of triggers · organizations and credentials · queue settings · jobs · counters · workers ·
-- workflows · batches · schedules · outgoing webhooks · inbound webhooks · commands that run once · operations and deletions · audit log ·
-- series and gauges · processes and checks

-- ── Roles ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- The owner (the role that runs this file) migrates and nothing else. spooled_app does everything that a request causes: it owns no table and
-- cannot bypass row-level security. spooled_system does maintenance across tenants.
-- They are created here without LOGIN, so that this file works alone; the runner gives them LOGIN and a password.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'spooled_app') THEN
    CREATE ROLE spooled_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'spooled_system') THEN
    CREATE ROLE spooled_system NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO spooled_app, spooled_system;

-- On the roles rather than in connection options, which PgBouncer would refuse: no request may hold locks without end.
ALTER ROLE spooled_app SET statement_timeout = '15s';
ALTER ROLE spooled_app SET idle_in_transaction_session_timeout = '15s';
ALTER ROLE spooled_system SET statement_timeout = '5min';
ALTER ROLE spooled_system SET idle_in_transaction_session_timeout = '1min';
-- Not that of the server: the hours and days of counters are those of UTC, and times are read to the microsecond.
ALTER ROLE spooled_app SET timezone = 'UTC';
ALTER ROLE spooled_system SET timezone = 'UTC';

-- ── Isolation ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- The organization of this transaction, or null. After its first use in a session an unset setting reads as '', hence nullif:
-- a missing setting must mean no rows, not an error and never all rows.
CREATE FUNCTION current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.current_org_id', true), '')::uuid;

-- Isolates one table: rows of the current organization for spooled_app, all rows for spooled_system, none for anybody else,
-- the owner included (FORCE). Every table with tenant data goes through here; a test compares this with the catalogue.
CREATE FUNCTION protect_tenant_table(tenant_table regclass, organization_column name DEFAULT 'organization_id') RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  mine text := format('%I = nullif(current_setting(''app.current_org_id'', true), '''')::uuid', organization_column);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant_table);
  EXECUTE format('CREATE POLICY tenant ON %s FOR ALL TO spooled_app USING (%s) WITH CHECK (%s)', tenant_table, mine, mine);
  EXECUTE format('CREATE POLICY maintenance ON %s FOR ALL TO spooled_system USING (true) WITH CHECK (true)', tenant_table);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO spooled_app, spooled_system', tenant_table);
END
$$;
REVOKE EXECUTE ON FUNCTION protect_tenant_table FROM PUBLIC;

-- ── Time ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- What time it is, for everything that is decided or recorded by time: due times, leases, windows, ages. Without an argument the start
-- of the transaction; current_ts(statement_timestamp()) and current_ts(clock_timestamp()) where later matters. Only the owner can
-- replace it, as a test does that moves the time of its database. PostgreSQL inlines it, so it costs nothing where a plan is kept.
CREATE FUNCTION current_ts(at timestamptz DEFAULT now()) RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN at;

-- ── Ids ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- PostgreSQL has this from version 18 on. Ids ascend within a session as far as microseconds differ: milliseconds since 1970 (48 bits),
-- their fraction (12 bits), random bits (62).
DO $$
BEGIN
  IF current_setting('server_version_num')::integer < 180000 THEN
    CREATE FUNCTION uuidv7(shift interval DEFAULT interval '0') RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $id$
      SELECT encode(set_byte(set_byte(
        overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send(t.us / 1000) FROM 3) FROM 1 FOR 6),
        6, 112 | (t.fraction >> 8)), 7, t.fraction & 255), 'hex')::uuid
      FROM (SELECT us, (us % 1000 * 4096 / 1000)::integer AS fraction
        FROM (SELECT (extract(epoch FROM clock_timestamp() + shift) * 1000000)::bigint AS us) AS moment) AS t
    $id$;
  END IF;
END
$$;

-- ── Functions ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Which text each function has. Writer: the migration runner. Services compare it with what their build needs when they start.
CREATE TABLE repeatable_migrations (
  -- The function's name.
  name text PRIMARY KEY,
  -- SHA-256 of the file.
  checksum text NOT NULL,
  -- Version of the product that installed this text, such as 0.1.0.
  release text NOT NULL,
  installed_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON repeatable_migrations, _prisma_migrations TO spooled_app;

-- The triggers below need their functions. The runner replaces these empty ones by those of the files.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'audit_change', 'begin_organization_deletion', 'count_dead_letters', 'end_queue_pause', 'note_api_key_change', 'note_organization_change',
    'note_setting_change', 'note_session_end']
  LOOP
    EXECUTE format('CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''', name);
  END LOOP;
END
$$;

-- ── Organizations and credentials ──────────────────────────────────────────────────────────────────────────────────────────────
-- Writer: gateway.
CREATE TABLE organizations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  plan_tier text NOT NULL DEFAULT 'free',
  billing_email text,
  settings jsonb NOT NULL DEFAULT '{}',
  custom_limits jsonb,
  stripe_customer_id text,
  stripe_subscription_id text,
  stripe_subscription_status text,
  stripe_current_period_end timestamptz,
  stripe_cancel_at_period_end boolean,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  updated_at timestamptz NOT NULL DEFAULT current_ts()
);
CREATE UNIQUE INDEX organizations_billing_email ON organizations (lower(billing_email)) WHERE billing_email IS NOT NULL;
SELECT protect_tenant_table('organizations', 'id');
CREATE TRIGGER organization_changed AFTER UPDATE OF plan_tier, custom_limits, settings ON organizations FOR EACH ROW
  EXECUTE FUNCTION note_organization_change();
CREATE TRIGGER organization_deleted AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION note_organization_change();
-- By a trigger, so that it applies to every deletion of the row.
CREATE TRIGGER organization_deletion_begun AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION begin_organization_deletion();

-- Writer: gateway. A key's text is never stored: a keyed hash to verify it, SHA-256 to find it, eight characters to recognize it.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  key_prefix text NOT NULL,
  key_lookup text NOT NULL UNIQUE,
  queues text[] NOT NULL DEFAULT '{}',
  rate_limit integer,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  last_used timestamptz,
  expires_at timestamptz,
  -- `<name of the pepper>:<HMAC-SHA-256>`.
  key_digest text NOT NULL,
  -- What the key may do.
  role text NOT NULL DEFAULT 'admin' CONSTRAINT api_keys_role CHECK (role IN ('admin', 'operator', 'worker', 'viewer'))
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at DESC);
SELECT protect_tenant_table('api_keys');
-- Not of last_used, which changes all the time and is not cached.
CREATE TRIGGER api_key_changed
  AFTER UPDATE OF is_active, queues, rate_limit, expires_at, key_lookup, role ON api_keys FOR EACH ROW
  WHEN ((OLD.is_active, OLD.queues, OLD.rate_limit, OLD.expires_at, OLD.key_lookup, OLD.role)
    IS DISTINCT FROM (NEW.is_active, NEW.queues, NEW.rate_limit, NEW.expires_at, NEW.key_lookup, NEW.role))
  EXECUTE FUNCTION note_api_key_change();
CREATE TRIGGER api_key_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_api_key_change();

-- Changes of credentials, written in the transaction that makes them: what a process has cached about a key, an organization or a
-- session is given up because of a row here, whether or not a notice in Redis tells of it.
-- Writer: triggers. The last change of each subject, not every change, so the table is no larger than what can change. Rows are
-- kept longer than any cached entry lives; the scheduler removes older ones. No foreign key: the end of an organization is a change.
-- changed_xid: readers ask for what their last snapshot cannot have shown, and that is known of transactions, not of times or serials.
CREATE TABLE credential_changes (
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('api_key', 'organization', 'settings', 'session')),
  -- api_key: its key_lookup; session: its id; otherwise empty.
  subject text NOT NULL,
  changed_xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  changed_at timestamptz NOT NULL DEFAULT current_ts(clock_timestamp()),
  PRIMARY KEY (organization_id, kind, subject)
);
CREATE INDEX credential_changes_xid ON credential_changes (changed_xid);
SELECT protect_tenant_table('credential_changes');

-- Writer: gateway. Sessions that were logged out, until the last of their tokens would have ended anyway.
CREATE TABLE revoked_sessions (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  session_id uuid NOT NULL,
  revoked_at timestamptz NOT NULL DEFAULT current_ts(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, session_id)
);
CREATE INDEX revoked_sessions_expires_at ON revoked_sessions (expires_at);
SELECT protect_tenant_table('revoked_sessions');
CREATE TRIGGER session_revoked AFTER INSERT ON revoked_sessions FOR EACH ROW EXECUTE FUNCTION note_session_end();

-- Writer: gateway. A link that begins a session of the console, until it is used or ten minutes have passed. Only hashes are stored: of
-- the code, and of the token of the browser that last showed the link, which alone may use it.
CREATE TABLE console_logins (
  code_hash text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  api_key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  browser_hash text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX console_logins_organization ON console_logins (organization_id);
CREATE INDEX console_logins_api_key ON console_logins (api_key_id);
CREATE INDEX console_logins_expires_at ON console_logins (expires_at);
SELECT protect_tenant_table('console_logins');

-- Writer: gateway. Open sessions of the administrator, who belongs to no organization; a logout deletes the row.
CREATE TABLE administrator_sessions (
  session_id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX administrator_sessions_expires_at ON administrator_sessions (expires_at);
GRANT SELECT, INSERT, DELETE ON administrator_sessions TO spooled_system;

-- ── Queue settings ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Writer: gateway. A queue needs no row here; without one the server's defaults hold.
CREATE TABLE queue_config (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  max_retries integer NOT NULL DEFAULT 3,
  default_timeout integer NOT NULL DEFAULT 300,
  -- Jobs a second; may be a fraction.
  rate_limit double precision,
  -- False: paused.
  enabled boolean NOT NULL DEFAULT true,
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  updated_at timestamptz NOT NULL DEFAULT current_ts(),
  -- When the pause ends by itself, and who paused the queue.
  pause_expires_at timestamptz,
  paused_by text,
  -- When the last pause ended.
  resumed_at timestamptz,
  UNIQUE (organization_id, queue_name)
);
-- The queues whose jobs are sent to a URL; few among many, and looked for all the time.
CREATE INDEX queue_config_push ON queue_config (organization_id, queue_name)
  WHERE enabled AND jsonb_typeof(settings -> 'callback_url') = 'string';
-- Queues whose jobs are pushed although the queue itself may name no receiver. Each batch of new jobs asks for them, paused ones too.
CREATE INDEX queue_config_push_jobs ON queue_config (organization_id, queue_name) WHERE settings -> 'push' = 'true';
-- The few queues that bound how many of their jobs are worked on at once: each batch of completions asks for them, and organizations
-- without any pay one probe of an empty index.
CREATE INDEX queue_config_limited ON queue_config (organization_id, queue_name) WHERE settings ? 'concurrency';
-- The scheduler reads it twice per second.
CREATE INDEX queue_config_pause_expiry ON queue_config (pause_expires_at) WHERE NOT enabled AND pause_expires_at IS NOT NULL;
SELECT protect_tenant_table('queue_config');
CREATE TRIGGER queue_rate_changed AFTER UPDATE OF rate_limit ON queue_config FOR EACH ROW
  WHEN (OLD.rate_limit IS DISTINCT FROM NEW.rate_limit) EXECUTE FUNCTION note_setting_change('queue', 'queue_name');
CREATE TRIGGER queue_added AFTER INSERT ON queue_config FOR EACH ROW WHEN (NEW.rate_limit IS NOT NULL)
  EXECUTE FUNCTION note_setting_change('queue', 'queue_name');
CREATE TRIGGER queue_deleted AFTER DELETE ON queue_config FOR EACH ROW WHEN (OLD.rate_limit IS NOT NULL)
  EXECUTE FUNCTION note_setting_change('queue', 'queue_name');
-- Keeps an expiry from outliving its pause.
CREATE TRIGGER pause_ended BEFORE UPDATE OF enabled ON queue_config
  FOR EACH ROW WHEN (NEW.enabled) EXECUTE FUNCTION end_queue_pause();

-- The token bucket of each rated queue, used where Redis is not: without REDIS_URL, and while it is down. Writer: libs/service, for the
-- gateway and for push queues. Unlogged: after a crash a bucket is full again, which is one second's jobs. No foreign key to
-- queue_config, whose row may be deleted while a claim runs; the statement takes nothing without it.
CREATE UNLOGGED TABLE queue_tokens (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  tokens double precision NOT NULL,
  -- By the statement that wrote the row; negative: it returned tokens.
  taken double precision NOT NULL,
  refilled_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, queue_name)
) WITH (fillfactor = 50);
SELECT protect_tenant_table('queue_tokens');

-- What the payloads of a queue must look like: a JSON Schema in versions, of which one is current. Writer: gateway. No foreign key to
-- queue_config: what cascades goes under a role that may not write the audit log.
CREATE TABLE payload_contracts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  is_current boolean NOT NULL,
  mode text NOT NULL CHECK (mode IN ('reject', 'warn')),
  compatibility text NOT NULL CHECK (compatibility IN ('none', 'backward')),
  -- As the caller wrote it.
  schema json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  created_by text,
  -- Payloads that violated it in mode warn, when the last of them were recorded, and the newest of them: [{at, path, reason}].
  -- Writer: every service that accepts jobs.
  violations bigint NOT NULL DEFAULT 0,
  violated_at timestamptz,
  violation_samples jsonb NOT NULL DEFAULT '[]',
  UNIQUE (organization_id, queue_name, version)
);
CREATE UNIQUE INDEX payload_contracts_current ON payload_contracts (organization_id, queue_name) WHERE is_current;
SELECT protect_tenant_table('payload_contracts');
-- Every process caches which queues of an organization have a contract.
CREATE TRIGGER contract_changed AFTER INSERT OR DELETE ON payload_contracts FOR EACH ROW EXECUTE FUNCTION note_setting_change('queue', 'queue_name');

-- Limits of new jobs, set by hand until they expire. Writer: gateway. No foreign key to api_keys, which are never deleted one by one.
CREATE TABLE throttles (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Which jobs count; null = any. One at least is set.
  api_key_id uuid,
  queue_name text,
  tag_name text,
  tag_value text,
  -- Jobs; may be a fraction.
  per_second double precision NOT NULL CHECK (per_second > 0),
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  created_by text,
  expires_at timestamptz NOT NULL,
  CHECK (num_nonnulls(api_key_id, queue_name, tag_name) > 0)
);
CREATE INDEX throttles_organization ON throttles (organization_id, expires_at);
SELECT protect_tenant_table('throttles');
-- Every process that accepts jobs caches them.
CREATE TRIGGER throttle_changed AFTER INSERT OR DELETE ON throttles FOR EACH ROW EXECUTE FUNCTION note_setting_change('throttle', 'id');

-- Causes of dead letters that are no problem until a time. Writer: gateway.
CREATE TABLE cause_mutes (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- As dead_letter_cause_v1 returns it.
  cause_id uuid NOT NULL,
  -- As groups of dead letters show it: a mute may outlive the dead letters.
  error text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  created_by text,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, cause_id)
);
SELECT protect_tenant_table('cause_mutes');

-- How far the causes of an organization with webhooks for them were looked at, and what was reported in its hour. Writer: scheduler.
CREATE TABLE cause_report_states (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  -- The first look: what is older has not appeared since.
  started_at timestamptz NOT NULL,
  looked_until timestamptz NOT NULL,
  hour_began_at timestamptz NOT NULL,
  reported integer NOT NULL DEFAULT 0,
  -- Causes beyond the bound of the hour; null: none, or not yet reported.
  omitted integer
);
SELECT protect_tenant_table('cause_report_states');
-- The causes that were reported and have died of late, so that each is reported once.
-- Writer: scheduler.
CREATE TABLE reported_causes (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  cause_id uuid NOT NULL,
  reported_at timestamptz NOT NULL,
  -- Dead letters of the hour when it was reported.
  jobs integer NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, cause_id)
);
SELECT protect_tenant_table('reported_causes');

-- ── Jobs ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Writer of every table here: libs/queue.
--
-- What changes often is small, what is large is written once: `jobs` is written at enqueue and at the end; `job_queue` holds
-- one narrow row per live job and is all that claims, heartbeats, retries and recovery touch. Measured against one table
-- updated in place, in batches of 100 at 200 B payloads: 23,900 against 13,000 whole cycles a second.
CREATE TYPE job_status AS ENUM ('pending', 'scheduled', 'processing', 'completed', 'failed', 'deadletter', 'cancelled');
-- ready: may be claimed (unless blocked by a parent). scheduled: first run in the future. retrying: next run in the future.
-- leased: in a worker's hands. Callers see pending, scheduled, pending, processing.
CREATE TYPE live_state AS ENUM ('ready', 'scheduled', 'retrying', 'leased');
-- A job that a claim was granted. search_ms: how long the search for ready jobs took; has_subscribers: the organization has a webhook
-- for job.started; bytes: of the payload; wait_reasons: why it waited, as far as the claim knows; null for a job without a trace.
CREATE TYPE granted_job_v1 AS (
  command integer, part integer, job_id uuid, queue_name text, payload json, priority smallint, retry_count smallint,
  max_retries smallint, timeout_seconds integer, lease_id uuid, lease_expires_at timestamptz, created_at timestamptz,
  scheduled_at timestamptz, started_at timestamptz, idempotency_key text, traceparent text, worker_id text,
  has_subscribers boolean, search_ms real, bytes integer,
  wait_reasons text[]);
-- What finish_jobs_v1 tells complete_part_v1.
CREATE TYPE completed_jobs_v1 AS (done json, accepted integer[], ids uuid[], parents uuid[], called uuid[]);

-- The record. `outcome` is null while the job lives; then callers see the live row's state.
-- Partitioned by id: a UUIDv7 starts with its time of birth, so a lookup by id reads one partition, and retention drops
-- partitions. Ids from a gateway whose clock is wrong fall into the default partition.
-- Writer: libs/queue.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  scheduled_at timestamptz,
  expires_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  lease_expires_at timestamptz,
  lease_id uuid,
  parent_job_id uuid,
  -- Its workflow, or its batch.
  workflow_id uuid,
  outcome job_status CHECK (outcome IN ('completed', 'failed', 'deadletter', 'cancelled')),
  timeout_seconds integer NOT NULL,
  priority smallint NOT NULL,
  max_retries smallint NOT NULL,
  retry_count smallint NOT NULL DEFAULT 0,
  queue_name text NOT NULL,
  job_type text NOT NULL DEFAULT '',
  idempotency_key text,
  dependency_mode text CHECK (dependency_mode IN ('all', 'any')),
  assigned_worker_id text,
  last_error text,
  completion_webhook text,
  completion_webhook_secret text,
  traceparent text,
  tags jsonb,
  -- json, not jsonb: stored as the text that the caller sent, key order and \u0000 included, without a conversion.
  payload json NOT NULL,
  result json,
  -- Who created the job, as text (kind, id, name); null: unknown. Part of the record, so that the insert of a job stays one row.
  created_by text,
  -- Take precedence over those of its queue: callback and backoff, under the names of queue_config.settings.
  settings jsonb,
  -- Null unless it was cancelled. An index on the outcome would make each completion write all indexes of the record (12 µs); no
  -- completion changes this column.
  cancelled_at timestamptz
) PARTITION BY RANGE (id);
-- The conditions of the next two always hold. A statement must repeat it to be planned over the index: without it those that reach jobs
-- by id may be planned, while the table is empty, as a walk through all jobs of the organization, which row-level security offers them.
CREATE INDEX jobs_newest ON jobs (organization_id, created_at DESC, id DESC) WHERE created_at > '-infinity';
CREATE INDEX jobs_of_type ON jobs (organization_id, queue_name, job_type, created_at DESC, id DESC) WHERE queue_name >= '';
CREATE INDEX jobs_cancelled ON jobs (organization_id, created_at DESC, id DESC) WHERE cancelled_at IS NOT NULL;
SELECT protect_tenant_table('jobs');
CREATE TABLE jobs_other PARTITION OF jobs DEFAULT;
SELECT protect_tenant_table('jobs_other');

-- The live row. Low fillfactor and eager autovacuum: every claim, renewal and retry leaves a dead row behind.
-- Writer: libs/queue.
CREATE TABLE job_queue (
  job_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  lease_id uuid,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  expires_at timestamptz,
  lease_expires_at timestamptz,
  started_at timestamptz,
  state live_state NOT NULL,
  priority smallint NOT NULL,
  retry_count smallint NOT NULL DEFAULT 0,
  max_retries smallint NOT NULL,
  dependencies_met boolean NOT NULL DEFAULT true,
  -- Whether another job waits for this one; saves every completion a look into job_dependencies.
  has_dependents boolean NOT NULL DEFAULT false,
  queue_name text NOT NULL,
  worker_id text,
  last_error text,
  -- True from the first renewal on that may have put a lease of this job into Redis; so the end of a job that nobody ever renewed,
  -- which is nearly every job, asks nothing of Redis. Never reset: a later lease of the job costs a look into Redis at most.
  renewed boolean NOT NULL DEFAULT false,
  -- How long the attempt of a leased job may take, copied from its record by the claim, so that renewals and recovery need the narrow
  -- row only.
  timeout_seconds integer,
  -- The last progress that the worker of a leased job has reported: percent, text and when. Written at most once a second for each job.
  progress double precision,
  progress_message text,
  progress_at timestamptz,
  -- When the worker of a leased job was asked to end it. Never reset: an attempt with a request is the last one.
  cancel_requested_at timestamptz
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX job_queue_claim ON job_queue (organization_id, queue_name, priority DESC, created_at, job_id)
  WHERE state = 'ready' AND dependencies_met;
CREATE INDEX job_queue_blocked ON job_queue (organization_id, queue_name, job_id) WHERE NOT dependencies_met;
CREATE INDEX job_queue_blocked_ids ON job_queue (job_id) WHERE NOT dependencies_met;
CREATE INDEX job_queue_waiting ON job_queue (organization_id, queue_name, due_at, job_id) WHERE state IN ('scheduled', 'retrying');
CREATE INDEX job_queue_retrying ON job_queue (organization_id, queue_name) WHERE state = 'retrying';
CREATE INDEX job_queue_due ON job_queue (due_at) WHERE state IN ('scheduled', 'retrying');
CREATE INDEX job_queue_lease ON job_queue (lease_expires_at) WHERE state = 'leased';
CREATE INDEX job_queue_leased ON job_queue (organization_id, queue_name, worker_id) WHERE state = 'leased';
CREATE INDEX job_queue_expiry ON job_queue (expires_at) WHERE expires_at IS NOT NULL;
SELECT protect_tenant_table('job_queue');

-- Apart from jobs, so that partitions do not weaken uniqueness. A row lives as long as its job's record.
-- Writer: libs/queue.
CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  job_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  PRIMARY KEY (organization_id, idempotency_key)
);
CREATE INDEX idempotency_keys_job ON idempotency_keys (job_id);
SELECT protect_tenant_table('idempotency_keys');

-- The dead letters of each organization, narrow: listing and replaying them never searches the history of finished jobs.
-- Writer: libs/queue.
CREATE TABLE dead_letters (
  job_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  created_at timestamptz NOT NULL,
  dead_at timestamptz NOT NULL,
  job_type text NOT NULL,
  -- Those that failed alike: a hash of queue, type and normalized error (dead_letter_group_v1).
  group_id uuid NOT NULL
);
CREATE INDEX dead_letters_oldest ON dead_letters (organization_id, created_at, job_id);
CREATE INDEX dead_letters_oldest_deaths ON dead_letters (organization_id, dead_at);
CREATE INDEX dead_letters_of_queue ON dead_letters (organization_id, queue_name, created_at, job_id);
-- Pages of a group, and the oldest and the newest dead letter of each group shown.
CREATE INDEX dead_letters_groups ON dead_letters (organization_id, group_id, dead_at, job_id) INCLUDE (queue_name, created_at);
SELECT protect_tenant_table('dead_letters');

-- What the record cannot show: attempts that did not finish the job, and moves made by hand. Completions are not repeated here.
-- Rows are written by the transition itself.
-- Writer: libs/queue.
CREATE TABLE job_history (
  id uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  at timestamptz NOT NULL,
  event text NOT NULL,
  attempt smallint,
  worker_id text,
  started_at timestamptz,
  error text,
  -- Who caused the event; null where the event itself says so (a worker that failed, a lease that expired).
  actor text,
  -- The lease of the attempt that ended, so that an attempt is one row for its claim and its end.
  lease_id uuid,
  -- What else the event says.
  details json,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX job_history_job ON job_history (organization_id, job_id);
SELECT protect_tenant_table('job_history');
CREATE TABLE job_history_other PARTITION OF job_history DEFAULT;
SELECT protect_tenant_table('job_history_other');

-- What the handlers of a job have finished and what they wait for: one row for each step, kept across attempts. Rows live as long as the
-- record of their job.
-- Writer: libs/queue.
CREATE TABLE job_steps (
  job_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  -- step: a result. sleep: a wait for a time. signal: a wait for a value that somebody gives, or a value that came first.
  kind text NOT NULL CHECK (kind IN ('step', 'sleep', 'signal')),
  created_at timestamptz NOT NULL,
  -- Null: it waits, until its deadline.
  finished_at timestamptz,
  deadline timestamptz,
  -- json, as in jobs. Null: none.
  result json,
  PRIMARY KEY (job_id, name),
  CHECK (finished_at IS NOT NULL OR deadline IS NOT NULL)
);
SELECT protect_tenant_table('job_steps');

-- Log lines of the handlers of a job. Rows live as long as the record of their job.
-- Writer: libs/queue.
CREATE TABLE job_logs (
  job_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  -- Counts the attempts of the job that have lines. Numbers of attempts repeat: a released job, and one that is retried by hand.
  run integer NOT NULL,
  -- Of the line in its attempt.
  number integer NOT NULL,
  lease_id uuid NOT NULL,
  attempt integer NOT NULL,
  at timestamptz NOT NULL,
  level text NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
  message text NOT NULL,
  -- json, as in jobs. Null: none.
  fields json,
  -- Sums of the attempt up to this line: lines, their bytes, and the highest number that was reported.
  kept integer NOT NULL,
  bytes integer NOT NULL,
  reported integer NOT NULL,
  PRIMARY KEY (job_id, run, number)
);
SELECT protect_tenant_table('job_logs');

-- Writer: libs/queue.
CREATE TABLE job_dependencies (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  depends_on_job_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  -- True: the end of this parent cancelled this child. Requeueing the parent requeues such children, and only them. Also true when the
  -- parent was deleted as a dead letter or by an operation.
  cancelled_child boolean NOT NULL DEFAULT false,
  PRIMARY KEY (job_id, depends_on_job_id)
);
CREATE INDEX job_dependencies_parent ON job_dependencies (depends_on_job_id);
SELECT protect_tenant_table('job_dependencies');

-- Weekly partitions, isolated like their parents: last week (a clock may lag), this one and four more. The scheduler goes on from here
-- with create_partition_v1, of whose tables these are no different.
DO $$
DECLARE
  first constant date := date_trunc('week', now() AT TIME ZONE 'UTC')::date - 7;
  parent text;
  child text;
  monday date;
BEGIN
  FOREACH parent IN ARRAY ARRAY['jobs', 'job_history'] LOOP
    FOR monday IN SELECT first + i * 7 FROM generate_series(0, 5) AS i LOOP
      child := format('%s_p%s', parent, to_char(monday, 'YYYYMMDD'));
      -- The bounds are the smallest UUIDv7 of each Monday, as uuid_at returns them.
      EXECUTE (
        SELECT format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', child, parent, bounds[1], bounds[2])
        FROM (
          SELECT array_agg(lpad(to_hex(extract(epoch FROM day)::bigint * 1000), 12, '0') || repeat('0', 20) ORDER BY day) AS bounds
          FROM unnest(ARRAY[monday, monday + 7]) AS day
        ) AS ids);
      IF parent = 'jobs' THEN
        -- The one update of a record, when its job ends, finds room on its own page and touches no index.
        EXECUTE format('ALTER TABLE %I SET (fillfactor = 50)', child);
      END IF;
      PERFORM protect_tenant_table(child::regclass);
    END LOOP;
  END LOOP;
END
$$;

-- ── Counters ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Every queue name that an organization has used; a queue exists once a job names it. Writer of these tables: libs/queue.
CREATE TABLE queues (
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT current_ts(),
  PRIMARY KEY (organization_id, queue_name)
);
SELECT protect_tenant_table('queues');

-- Counters in place of COUNT(*) over history. One row per writer slot (counter_slot), so that concurrent batches of one tenant do not
-- wait for each other's row. A slot is held by an advisory lock until the transaction ends; the lock is only ever tried, never waited
-- for, so that no order of queues, organizations or statements can lead to a deadlock. By the backend's process id modulo 16 there were
-- 41 deadlocks in 80 minutes.
-- Writer: libs/queue.
CREATE TABLE job_stats (
  organization_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  slot smallint NOT NULL,
  queue_name text NOT NULL,
  created bigint NOT NULL DEFAULT 0,
  completed bigint NOT NULL DEFAULT 0,
  retried bigint NOT NULL DEFAULT 0,
  deadlettered bigint NOT NULL DEFAULT 0,
  -- Of the dead letters, those that expired before their retry: their last attempt is among those that were retried. What failed is
  -- retried + deadlettered - expired.
  expired bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  wait_ms bigint NOT NULL DEFAULT 0,
  run_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, queue_name, hour, slot)
) WITH (fillfactor = 50);
CREATE INDEX job_stats_oldest ON job_stats (hour) WHERE slot >= 0;
SELECT protect_tenant_table('job_stats');

-- The dead letters that there are by group (dead_letter_group_v1): in all (step 0), and of those the ones that died in a minute or an hour
-- (step 60 and 3600, kept for about an hour and a day). Slots as above: figures are sums over slots. Writer: a trigger, so that every
-- statement that writes or deletes dead letters counts.
CREATE TABLE dead_letter_counts (
  organization_id uuid NOT NULL,
  step integer NOT NULL,
  group_id uuid NOT NULL,
  at timestamptz NOT NULL,
  slot smallint NOT NULL,
  -- Those of the group.
  queue_name text NOT NULL,
  job_type text NOT NULL,
  jobs bigint NOT NULL,
  PRIMARY KEY (organization_id, step, group_id, at, slot)
) WITH (fillfactor = 50);
CREATE INDEX dead_letter_counts_oldest ON dead_letter_counts (step, at) WHERE step > 0;
SELECT protect_tenant_table('dead_letter_counts');
CREATE TRIGGER counted AFTER INSERT ON dead_letters REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_dead_letters();
CREATE TRIGGER counted_off AFTER DELETE ON dead_letters REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_dead_letters();

-- Jobs created per organization and UTC day, against the plan's daily cap; slots as above.
-- Writer: libs/queue.
CREATE TABLE usage_counters (
  organization_id uuid NOT NULL,
  day date NOT NULL,
  slot smallint NOT NULL,
  jobs_created bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, day, slot)
) WITH (fillfactor = 50);
SELECT protect_tenant_table('usage_counters');

-- ── Workers ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- A worker id is chosen by the client and unique within its organization: over all of them, a refusal would tell one organization
-- which ids another one uses. Writer: libs/queue.
CREATE TABLE workers (
  id text NOT NULL,
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  hostname text NOT NULL,
  worker_type text,
  max_concurrency integer NOT NULL DEFAULT 5,
  current_jobs integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'healthy' CHECK (status IN ('healthy', 'degraded', 'draining', 'offline')),
  last_heartbeat timestamptz NOT NULL DEFAULT current_ts(),
  metadata jsonb NOT NULL DEFAULT '{}',
  version text,
  registered_at timestamptz NOT NULL DEFAULT current_ts(),
  updated_at timestamptz NOT NULL DEFAULT current_ts(),
  -- Jobs that it completed, and failures that it reported.
  jobs_processed bigint NOT NULL DEFAULT 0,
  jobs_failed bigint NOT NULL DEFAULT 0,
  -- Counts while the worker is draining.
  drain_requested_at timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX workers_organization ON workers (organization_id, last_heartbeat DESC);
CREATE INDEX workers_alive ON workers (last_heartbeat) WHERE status <> 'offline';
-- Gateways read of each organization the workers that were told to drain last, every second.
CREATE INDEX workers_drained_newest ON workers (organization_id, drain_requested_at DESC, id)
  WHERE status = 'draining' AND drain_requested_at IS NOT NULL;
SELECT protect_tenant_table('workers');

-- What was counted since the last merge into `workers`: one row for each batch of an organization, written by the transaction of the
-- batch. Only ever inserted and, by the merge, deleted, so that completions never wait for each other's counters.
-- Writer: libs/queue.
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

-- ── Workflows ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Writer: libs/queue. While a workflow is open its counters are read from its jobs: all jobs that end at once would contend for a
-- counter row. No reference to organizations, here and where tables grow with use: rows go in steps, not by cascade in the request
-- that deletes the organization.
CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  total_jobs integer NOT NULL,
  metadata jsonb,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  started_at timestamptz,
  completed_at timestamptz,
  -- Written when the workflow ends, because retention may remove its jobs before itself.
  completed_jobs integer NOT NULL DEFAULT 0,
  failed_jobs integer NOT NULL DEFAULT 0,
  -- The queues of its jobs, so that a scoped key is judged without a look at them.
  queue_names text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX workflows_newest ON workflows (organization_id, created_at DESC);
-- Lists by status: most workflows of a large table have completed.
CREATE INDEX workflows_open ON workflows (organization_id, created_at DESC, id DESC) WHERE status IN ('pending', 'running');
CREATE INDEX workflows_unsuccessful ON workflows (organization_id, created_at DESC, id DESC) WHERE status IN ('failed', 'cancelled');
SELECT protect_tenant_table('workflows');

-- Writer: libs/queue.
CREATE TABLE workflow_jobs (
  organization_id uuid NOT NULL,
  workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
  job_id uuid NOT NULL,
  key text NOT NULL,
  -- Whether the job had completed, for when its record is gone: by age, or with its queue. Written when that may count
  -- (update_workflow_status_v1).
  has_completed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workflow_id, key)
);
CREATE UNIQUE INDEX workflow_jobs_job ON workflow_jobs (job_id);
SELECT protect_tenant_table('workflow_jobs');

-- ── Batches ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Jobs that are added one request after the other, and callback jobs that are created when they have ended (settle_batches_v1).
-- `jobs.workflow_id` of a member is its batch, so that the end of a job without a batch costs nothing more. Writer: libs/queue.
CREATE TABLE batches (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  name text,
  metadata jsonb,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed', 'completed', 'cancelled')),
  total_jobs integer NOT NULL DEFAULT 0,
  -- Those of its jobs and callbacks, so that a scoped key is judged without a look at them. Of a batch that was created without callbacks
  -- also those of the key that created it; empty: it was created by a key of all queues.
  queue_names text[] NOT NULL DEFAULT '{}',
  -- {on_success?, on_complete?, on_death?: job of enqueue_part_v1, max_retries, timeout_seconds: the server's}. json: payloads keep their text.
  callbacks json NOT NULL,
  -- Those of the three that callbacks has, so that reads of batches leave the payloads alone.
  callback_names text[] NOT NULL DEFAULT '{}',
  -- Their queues, in the same order.
  callback_queues text[] NOT NULL DEFAULT '{}',
  -- The jobs that were created from them, each once.
  success_job_id uuid,
  complete_job_id uuid,
  death_job_id uuid,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  closed_at timestamptz,
  completed_at timestamptz
);
CREATE INDEX batches_newest ON batches (organization_id, created_at DESC, id DESC);
CREATE INDEX batches_open ON batches (organization_id) WHERE status = 'open';
SELECT protect_tenant_table('batches');

-- The members of batches. Writer: libs/queue.
CREATE TABLE batch_jobs (
  job_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  -- No foreign key: its check took place for each row of an addition, while the row of the batch was locked.
  batch_id uuid NOT NULL,
  -- As it is counted in batch_counts; null: the job has not ended. text: operators of enums are not leakproof, and row-level security keeps those
  -- from being conditions of an index.
  outcome text
) WITH (fillfactor = 80);
CREATE INDEX batch_jobs_page ON batch_jobs (batch_id, outcome, job_id);
SELECT protect_tenant_table('batch_jobs');

-- How the jobs of a batch have ended. Slots as of job_stats, so that jobs of one batch end in many transactions at once. Writer:
-- libs/queue.
CREATE TABLE batch_counts (
  organization_id uuid NOT NULL,
  batch_id uuid NOT NULL REFERENCES batches ON DELETE CASCADE,
  slot smallint NOT NULL,
  succeeded integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  PRIMARY KEY (batch_id, slot)
) WITH (fillfactor = 50);
SELECT protect_tenant_table('batch_counts');

-- ── Schedules ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Writer: gateway, and the scheduler for next_run_at, last_run_at and run_count by compare-and-swap.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
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
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  updated_at timestamptz NOT NULL DEFAULT current_ts(),
  -- Copied to its jobs.
  settings jsonb
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
  started_at timestamptz NOT NULL DEFAULT current_ts(),
  completed_at timestamptz,
  -- What began the run: `schedule` or `manual`.
  source text NOT NULL CHECK (source IN ('schedule', 'manual'))
);
CREATE INDEX schedule_runs_newest ON schedule_runs (schedule_id, started_at DESC);
SELECT protect_tenant_table('schedule_runs');

-- ── Outgoing webhooks ──────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Writer: gateway for settings, webhooks for the counters of what happened.
CREATE TABLE outgoing_webhooks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret text,
  enabled boolean NOT NULL DEFAULT true,
  failure_count integer NOT NULL DEFAULT 0,
  last_triggered_at timestamptz,
  last_status text CHECK (last_status IN ('success', 'failed', 'auto_disabled')),
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  updated_at timestamptz NOT NULL DEFAULT current_ts(),
  -- The secret before a rotation. Deliveries are signed with both until the time is over.
  previous_secret text,
  previous_secret_until timestamptz,
  -- The body that the receiver expects: the json envelope, one of a standard, or a chat message.
  format text NOT NULL DEFAULT 'json' CHECK (format IN ('json', 'standard', 'cloudevents', 'slack', 'discord', 'teams')),
  -- How long a delivery is retried after its first five attempts; null: OUTGOING_WEBHOOK_RETRY_SECS.
  retry_seconds integer CHECK (retry_seconds BETWEEN 0 AND 604800),
  -- The first failed attempt after the last success. A webhook that fails for long is disabled.
  failing_since timestamptz,
  -- While it is set, deliveries are held and one at a time is sent as a probe.
  held_since timestamptz,
  probes integer NOT NULL DEFAULT 0,
  -- When the next probe is due, and the delivery that is the latest one.
  probe_at timestamptz,
  probe_id uuid,
  -- Held deliveries that were given up because too many waited, and when the latest were.
  dropped_count bigint NOT NULL DEFAULT 0,
  dropped_at timestamptz
);
CREATE INDEX outgoing_webhooks_newest ON outgoing_webhooks (organization_id, created_at DESC);
SELECT protect_tenant_table('outgoing_webhooks');

-- The outbox. A row is written in the transaction that decides it (by libs/queue) and from then on belongs to webhooks, which
-- delivers it and records what happened. `webhook_id` null: the completion webhook of one job, posted to `url`.
-- Writer: libs/queue, then webhooks.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  webhook_id uuid REFERENCES outgoing_webhooks ON DELETE CASCADE,
  job_id uuid,
  event text NOT NULL,
  -- Of a completion webhook, with its secret: the job may be deleted before it is delivered.
  url text,
  secret text,
  payload json NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  status_code integer,
  response_body text,
  error text,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  -- null: no further attempt. A delivery is `failed` after five attempts, and is retried nevertheless. infinity: it is held.
  next_attempt_at timestamptz DEFAULT current_ts(),
  -- How often it was retried by hand.
  manual_retries integer NOT NULL DEFAULT 0,
  -- The newest 20 attempts, oldest first, with at most some KiB of each response.
  attempt_history jsonb NOT NULL DEFAULT '[]',
  delivered_at timestamptz
) WITH (fillfactor = 80);
-- Deliveries that are due: the sweep takes turns between organizations.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
-- Retention goes by organization and age.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (organization_id, created_at);
-- The list of a webhook's deliveries, and their removal together with it: the foreign key looks for the webhook alone.
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE webhook_id IS NOT NULL;
-- Its failed deliveries are few among those that arrived; a delivery writes this index only when it fails.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE status = 'failed';
-- Its deliveries that are not over: without this index all pending ones of the table are searched.
CREATE INDEX webhook_deliveries_unsent ON webhook_deliveries (webhook_id, created_at DESC, id DESC)
  WHERE webhook_id IS NOT NULL AND status = 'pending';
-- Held deliveries: which webhooks have some, the newest for a probe, the oldest to be dropped.
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE next_attempt_at = 'infinity';
-- The deliveries of one job, for its timeline.
CREATE INDEX webhook_deliveries_of_job ON webhook_deliveries (job_id, created_at DESC, id DESC) WHERE job_id IS NOT NULL;
SELECT protect_tenant_table('webhook_deliveries');

-- ── Inbound webhooks ───────────────────────────────────────────────────────────────────────────────────────────────────────────
-- What was accepted, and which job each became; neither payload nor signature. Writer: libs/queue, in the transaction that enqueues
-- the job.
CREATE TABLE inbound_deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  provider text NOT NULL,
  event_type text NOT NULL,
  matched_queue text NOT NULL,
  job_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('created', 'duplicate')),
  created_at timestamptz NOT NULL DEFAULT current_ts()
);
CREATE INDEX inbound_deliveries_newest ON inbound_deliveries (organization_id, created_at DESC, id DESC);
CREATE INDEX inbound_deliveries_of_queue ON inbound_deliveries (organization_id, matched_queue, created_at DESC, id DESC);
-- Rare: without an index of their own a page of them would read the whole log.
CREATE INDEX inbound_deliveries_duplicates ON inbound_deliveries (organization_id, created_at DESC, id DESC) WHERE status = 'duplicate';
SELECT protect_tenant_table('inbound_deliveries');

-- What was refused, and why: neither payload nor signature. The newest 1,000 of each organization, less those beyond its retention.
-- Equal ones within seconds of each other are one row. Writer: webhooks.
CREATE TABLE inbound_refusals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  provider text NOT NULL,
  event_type text NOT NULL,
  code text NOT NULL,
  reason text NOT NULL,
  address text NOT NULL,
  calls integer NOT NULL,
  -- Of the first of these calls.
  created_at timestamptz NOT NULL DEFAULT current_ts()
);
CREATE INDEX inbound_refusals_newest ON inbound_refusals (organization_id, created_at DESC, id DESC);
SELECT protect_tenant_table('inbound_refusals');

-- ── Commands that run once ─────────────────────────────────────────────────────────────────────────────────────────────────────
-- At most one effect of each command, however often and however late it is delivered.
--
-- A command may be run again while its first run is still to come or has not been heard of: its engine stopped for a while, was
-- killed, or could not be reached. What has become of a command is said by its own rows where it has any (a job's id, a lease);
-- these tables say it for the rest. They are written by libs/queue and pruned by the scheduler.

-- Commands whose effect cannot be told from other rows, written in the transaction of the effect. A second run finds the outcome of
-- the first; one that runs at the same moment fails at the key, with all its effects, and is run again.
-- Writer: libs/queue.
CREATE TABLE command_log (
  organization_id uuid NOT NULL,
  command_id uuid NOT NULL,
  outcome json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  PRIMARY KEY (organization_id, command_id)
);
CREATE INDEX command_log_oldest ON command_log (created_at);
SELECT protect_tenant_table('command_log');

-- Fencing tokens: commands that were delivered more than once, with the highest delivery that has run (32767: taken back by the
-- sender). A run of a lower delivery may not begin any more. Ids and numbers only, no tenant data: requests may read every row, because one
-- statement asks for the commands of many tenants, but write only those of their organization.
-- Writer: libs/queue.
CREATE TABLE command_fences (
  command_id uuid NOT NULL,
  -- The organization of the command.
  owner_id uuid NOT NULL,
  delivery smallint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  PRIMARY KEY (command_id, owner_id)
);
CREATE INDEX command_fences_oldest ON command_fences (created_at);
ALTER TABLE command_fences ENABLE ROW LEVEL SECURITY;
ALTER TABLE command_fences FORCE ROW LEVEL SECURITY;
CREATE POLICY reading ON command_fences FOR SELECT TO spooled_app USING (true);
CREATE POLICY insertion ON command_fences FOR INSERT TO spooled_app
  WITH CHECK (owner_id = nullif(current_setting('app.current_org_id', true), '')::uuid);
CREATE POLICY change ON command_fences FOR UPDATE TO spooled_app
  USING (owner_id = nullif(current_setting('app.current_org_id', true), '')::uuid);
CREATE POLICY maintenance ON command_fences FOR ALL TO spooled_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON command_fences TO spooled_app;
GRANT SELECT, DELETE ON command_fences TO spooled_system;

-- Jobs that were deleted soon after their creation. If the command that created them is delivered again, it must not create them a
-- second time.
-- Writer: libs/queue.
CREATE TABLE deleted_jobs (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT current_ts(),
  PRIMARY KEY (organization_id, job_id)
);
CREATE INDEX deleted_jobs_oldest ON deleted_jobs (created_at);
SELECT protect_tenant_table('deleted_jobs');

-- ── Operations and deletions ───────────────────────────────────────────────────────────────────────────────────────────────────
-- Acts on many jobs or rows that run in the background, in bounded steps.
--
-- Writer: gateway (creation and cancellation), libs/queue (progress). No reference to organizations: the deletion of one is an
-- operation as well and outlives it.
CREATE TABLE operations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deadletter.replay', 'deadletter.purge', 'job.cancel', 'job.prioritize', 'job.run_now', 'job.move', 'job.patch', 'job.delete', 'delivery.resend', 'queue.delete', 'organization.delete')),
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
  created_at timestamptz NOT NULL DEFAULT current_ts(clock_timestamp()),
  started_at timestamptz,
  ended_at timestamptz,
  -- Null: nothing left to do.
  next_step_at timestamptz DEFAULT current_ts(clock_timestamp()),
  -- Up to when its rate has been used.
  rate_used_until timestamptz,
  failures smallint NOT NULL DEFAULT 0,
  -- Where it continues, such as the last row that it has looked at.
  progress jsonb,
  -- Until then it touches nothing, and its cancellation undoes it; null = it began at once.
  starts_at timestamptz
);
CREATE INDEX operations_due ON operations (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE INDEX operations_newest ON operations (organization_id, created_at DESC, id DESC);
SELECT protect_tenant_table('operations');

-- The jobs that an operation has had: it takes none of them twice, and callers see which ones it has changed. How the jobs of a replay
-- ended decides whether it goes on. Jobs that are deleted have no item. Writer: libs/queue.
CREATE TABLE operation_items (
  operation_id uuid NOT NULL REFERENCES operations ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'succeeded', 'failed', 'ended_otherwise', 'refused')),
  error text,
  checked_at timestamptz NOT NULL DEFAULT current_ts(clock_timestamp()),
  -- An attempt of the replayed job has failed, so the rule that stops the operation counts it, whether or not it is retried.
  failed_once boolean NOT NULL DEFAULT false,
  PRIMARY KEY (operation_id, job_id)
);
CREATE INDEX operation_items_waiting ON operation_items (operation_id, checked_at) WHERE state = 'waiting';
CREATE INDEX operation_items_page ON operation_items (operation_id, state, job_id);
SELECT protect_tenant_table('operation_items');

-- Queues whose jobs are being deleted: those created up to deleted_until are hidden from callers. While live rows are left, no job of
-- the queue can be claimed. A row goes with the last job that it hides. Writer: libs/queue.
CREATE TABLE queue_deletions (
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  deleted_until timestamptz NOT NULL,
  has_live_jobs boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, queue_name)
);
SELECT protect_tenant_table('queue_deletions');

-- The job as callers see it: the live row where there is one, else the outcome; without the jobs of deleted queues. Runs with the
-- caller's own rights. Everything that callers see, so that a read of one job needs no second look at jobs and job_queue: planning
-- those took longer than the read. New columns of a view come last.
CREATE VIEW job_records WITH (security_invoker = true) AS
SELECT
  j.id, j.organization_id, j.queue_name,
  CASE q.state
    WHEN 'ready' THEN 'pending' WHEN 'retrying' THEN 'pending' WHEN 'scheduled' THEN 'scheduled' WHEN 'leased' THEN 'processing'
    ELSE j.outcome::text
  END AS status,
  j.payload, j.result, coalesce(q.retry_count, j.retry_count) AS retry_count, j.max_retries,
  CASE WHEN q.job_id IS NULL THEN j.last_error ELSE q.last_error END AS last_error,
  j.created_at,
  CASE WHEN q.job_id IS NULL THEN j.scheduled_at ELSE coalesce(q.due_at, j.scheduled_at) END AS scheduled_at,
  CASE WHEN q.job_id IS NULL THEN j.started_at ELSE q.started_at END AS started_at,
  j.completed_at, j.expires_at, coalesce(q.priority, j.priority) AS priority, j.tags, j.timeout_seconds,
  j.parent_job_id, j.completion_webhook,
  CASE WHEN q.job_id IS NULL THEN j.assigned_worker_id ELSE q.worker_id END AS assigned_worker_id,
  CASE WHEN q.job_id IS NULL THEN j.lease_id ELSE q.lease_id END AS lease_id,
  CASE WHEN q.job_id IS NULL THEN j.lease_expires_at ELSE q.lease_expires_at END AS lease_expires_at,
  j.idempotency_key, j.updated_at, CASE WHEN b.id IS NULL THEN j.workflow_id END AS workflow_id, j.dependency_mode, q.dependencies_met, j.job_type, j.traceparent, j.created_by,
  j.settings,
  CASE q.state WHEN 'leased' THEN q.progress END AS progress,
  CASE q.state WHEN 'leased' THEN q.progress_message END AS progress_message,
  CASE q.state WHEN 'leased' THEN q.progress_at END AS progress_at,
  q.cancel_requested_at, b.id AS batch_id
FROM jobs j
LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id
LEFT JOIN batches b ON b.id = j.workflow_id
WHERE NOT EXISTS (
  SELECT FROM queue_deletions d
  WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until
);
GRANT SELECT ON job_records TO spooled_app, spooled_system;

-- ── Audit log ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Who changed what an organization has set up, and acts that delete or move many of its jobs. Written in the transaction of the act.
--
-- Writer: triggers below (settings), gateway and libs/queue (acts). Append-only: nobody may change a row, and only the scheduler may
-- delete rows, by age. No reference to organizations: what was done to one that is deleted stays.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT current_ts(clock_timestamp()),
  action text NOT NULL,
  -- As commands name it; null: nobody that is known, such as a registration.
  actor text,
  target_kind text NOT NULL,
  target_id text,
  address text,
  user_agent text,
  -- What was changed, without secrets.
  before jsonb,
  after jsonb
);
CREATE INDEX audit_log_newest ON audit_log (organization_id, at DESC, id DESC);
CREATE INDEX audit_log_oldest ON audit_log (at, id);
-- Pauses and resumptions of queues. Settings that do not exist pause nothing, so the deletion of a paused queue resumes it.
CREATE INDEX audit_log_pauses ON audit_log (organization_id, at DESC, id DESC)
  WHERE target_kind = 'queue' AND coalesce(before ->> 'enabled', 'true') <> coalesce(after ->> 'enabled', 'true');
SELECT protect_tenant_table('audit_log');
REVOKE UPDATE, DELETE ON audit_log FROM spooled_app;
REVOKE UPDATE ON audit_log FROM spooled_system;

-- Arguments: kind of the target, column with the organization, column with the target's id, what of the row `r` is recorded. Only of
-- columns that callers set: what services update all the time (last_used, next_run_at, failure_count) does not fire a trigger.
CREATE TRIGGER audited
  AFTER INSERT OR DELETE OR UPDATE OF name, queues, rate_limit, is_active, expires_at, role ON api_keys
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'api_key', 'organization_id', 'id', 'r.name, r.role, r.queues, r.rate_limit, r.is_active, r.expires_at');
CREATE TRIGGER audited AFTER INSERT OR DELETE
  OR UPDATE OF name, slug, plan_tier, billing_email, settings, custom_limits, stripe_customer_id, stripe_subscription_id,
    stripe_subscription_status, stripe_current_period_end, stripe_cancel_at_period_end ON organizations
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'organization', 'id', 'id', 'r.name, r.slug, r.plan_tier, r.billing_email, r.settings, r.custom_limits, r.stripe_customer_id,
    r.stripe_subscription_id, r.stripe_subscription_status, r.stripe_current_period_end, r.stripe_cancel_at_period_end');
-- The deletion of a queue records its settings with the number of its jobs.
CREATE TRIGGER audited
  AFTER INSERT OR UPDATE OF max_retries, default_timeout, rate_limit, enabled, settings, pause_expires_at ON queue_config
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'queue', 'organization_id', 'queue_name', 'r.max_retries, r.default_timeout, r.rate_limit, r.enabled, r.settings, r.pause_expires_at');
-- A version that is not current any more has been replaced, which the row of the next one shows.
CREATE TRIGGER audited AFTER INSERT ON payload_contracts FOR EACH ROW
  EXECUTE FUNCTION audit_change(
    'payload_contract', 'organization_id', 'queue_name', 'r.version, r.mode, r.compatibility, md5(r.schema::text) AS schema_md5');
CREATE TRIGGER audited_deletion AFTER DELETE ON payload_contracts FOR EACH ROW WHEN (OLD.is_current)
  EXECUTE FUNCTION audit_change(
    'payload_contract', 'organization_id', 'queue_name', 'r.version, r.mode, r.compatibility, md5(r.schema::text) AS schema_md5');
CREATE TRIGGER audited AFTER INSERT ON throttles FOR EACH ROW EXECUTE FUNCTION audit_change(
    'throttle', 'organization_id', 'id', 'r.api_key_id, r.queue_name, r.tag_name, r.tag_value, r.per_second, r.expires_at');
-- One that has expired has ended by itself.
CREATE TRIGGER audited_release AFTER DELETE ON throttles FOR EACH ROW WHEN (OLD.expires_at > current_ts()) EXECUTE FUNCTION audit_change(
    'throttle', 'organization_id', 'id', 'r.api_key_id, r.queue_name, r.tag_name, r.tag_value, r.per_second, r.expires_at');
CREATE TRIGGER audited AFTER INSERT OR UPDATE ON cause_mutes FOR EACH ROW EXECUTE FUNCTION audit_change(
    'cause_mute', 'organization_id', 'cause_id', 'r.error, r.reason, r.expires_at');
CREATE TRIGGER audited_end AFTER DELETE ON cause_mutes FOR EACH ROW WHEN (OLD.expires_at > current_ts()) EXECUTE FUNCTION audit_change(
    'cause_mute', 'organization_id', 'cause_id', 'r.error, r.reason, r.expires_at');
CREATE TRIGGER audited AFTER INSERT OR DELETE ON outgoing_webhooks
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'webhook', 'organization_id', 'id', 'r.name, r.url, r.events, r.format, r.secret, r.enabled, r.retry_seconds');
-- Apart, because each delivery writes `enabled`, nearly always as it was.
CREATE TRIGGER audited_update
  AFTER UPDATE OF name, url, events, format, secret, previous_secret, previous_secret_until, enabled, retry_seconds ON outgoing_webhooks
  FOR EACH ROW
  WHEN ((OLD.name, OLD.url, OLD.events, OLD.format, OLD.secret, OLD.previous_secret, OLD.previous_secret_until, OLD.enabled, OLD.retry_seconds)
    IS DISTINCT FROM
    (NEW.name, NEW.url, NEW.events, NEW.format, NEW.secret, NEW.previous_secret, NEW.previous_secret_until, NEW.enabled, NEW.retry_seconds))
  EXECUTE FUNCTION audit_change(
    'webhook', 'organization_id', 'id', 'r.name, r.url, r.events, r.format, r.secret, r.previous_secret,
    r.previous_secret_until AS rotation_ends_at, r.enabled, r.retry_seconds');
CREATE TRIGGER audited AFTER INSERT OR DELETE
  OR UPDATE OF name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries, timeout_seconds,
    is_active, tags, metadata ON schedules
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'schedule', 'organization_id', 'id', 'r.name, r.description, r.cron_expression, r.timezone, r.queue_name,
    md5(r.payload_template::text) AS payload_template_md5, r.priority, r.max_retries, r.timeout_seconds, r.is_active, r.tags,
    r.metadata');
-- Not of the cancellation of a batch, which has an entry already.
CREATE TRIGGER audited_begin AFTER INSERT ON operations
  FOR EACH ROW WHEN (NEW.filter ->> 'batch_id' IS NULL) EXECUTE FUNCTION audit_change(
    'operation', 'organization_id', 'id', 'r.kind, r.queues, r.filter - ''job_ids'' AS filter,
    jsonb_array_length(r.filter -> ''job_ids'') AS job_ids, r.settings, r.payload_patch IS NOT NULL AS has_payload_patch, r.total,
    r.starts_at');
CREATE TRIGGER audited_cancellation AFTER UPDATE OF state ON operations
  FOR EACH ROW WHEN (NEW.state = 'cancelled' AND OLD.state <> 'cancelled')
  EXECUTE FUNCTION audit_change('operation', 'organization_id', 'id', 'r.state, r.reason');

-- ── Series and gauges ──────────────────────────────────────────────────────────────────────────────────────────────────────────
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
  -- Histograms: a bucket of libs/domain/src/latency.ts and how many jobs are in it. Empty where none was measured.
  -- Of the attempts that began in the step, from claimable to started.
  wait_buckets smallint[] NOT NULL DEFAULT '{}',
  wait_jobs integer[] NOT NULL DEFAULT '{}',
  -- Of the jobs that completed in the step.
  run_buckets smallint[] NOT NULL DEFAULT '{}',
  run_jobs integer[] NOT NULL DEFAULT '{}',
  -- As in job_stats.
  expired integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, step, queue_name, at)
);
CREATE INDEX queue_series_oldest ON queue_series (step, at);
SELECT protect_tenant_table('queue_series');

-- The counters of job_stats as the last sample found them.
-- Writer: scheduler.
CREATE TABLE series_counters (
  organization_id uuid NOT NULL,
  queue_name text NOT NULL,
  hour timestamptz NOT NULL,
  created bigint NOT NULL,
  completed bigint NOT NULL,
  retried bigint NOT NULL,
  deadlettered bigint NOT NULL,
  expired bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL,
  wait_ms bigint NOT NULL,
  run_ms bigint NOT NULL,
  PRIMARY KEY (organization_id, queue_name, hour)
) WITH (fillfactor = 70);
CREATE INDEX series_counters_oldest ON series_counters (hour);
SELECT protect_tenant_table('series_counters');

-- When samples were taken, no tenant data: a step without a row here is unknown, and a queue without a row in a step that has one was
-- idle.
-- Writer: scheduler.
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

-- Durations that processes have measured since the last sample; the sample takes the rows away. Only ever inserted and deleted.
-- Unlogged: after a crash of PostgreSQL a few seconds of measurements are missing, and nothing else.
-- Writer: libs/queue; the scheduler takes the rows away.
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

-- The figures of the last gauge round, over all tenants. Writer: scheduler; read by the processes that export metrics. No tenant data.
CREATE TABLE system_gauges (
  name text PRIMARY KEY,
  value double precision NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT current_ts()
);
GRANT SELECT ON system_gauges TO spooled_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON system_gauges TO spooled_system;

-- ── Processes and checks ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- The processes of the services, no tenant data: each writes its own row while it runs and deletes it when it stops. Rows of processes
-- that were killed are deleted after an hour by the others. Only for spooled_system.
-- Writer: each service, its own row.
CREATE TABLE service_processes (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  version text NOT NULL,
  host text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT current_ts(),
  seen_at timestamptz NOT NULL DEFAULT current_ts()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON service_processes TO spooled_system;

-- Writer: scheduler and gateway. Checks that tenants are isolated in this database, no tenant data; the newest 30. Only for
-- spooled_system: requests of tenants have no business with them.
CREATE TABLE isolation_checks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT current_ts(clock_timestamp()),
  -- Of the service that checked.
  version text NOT NULL,
  passed boolean NOT NULL,
  tables_checked integer NOT NULL,
  -- [{table, problem}]; table is null for what concerns a role, a view or a function.
  findings jsonb NOT NULL,
  -- Tables that were locked, or for which there was no time.
  tables_not_checked text[] NOT NULL
);
GRANT SELECT, INSERT, DELETE ON isolation_checks TO spooled_system;
