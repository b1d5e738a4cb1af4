-- Roles, the rule that isolates tenants, and the tables that the gateway writes: organizations, API keys, queue settings.
--
-- Three roles. The owner (whoever runs this file) migrates and nothing else. spooled_app does everything that a request
-- causes: it owns no table and cannot bypass row-level security. spooled_system does maintenance across tenants.
-- They are created here without LOGIN, so that this file works alone; who deploys gives them LOGIN and a password.

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

-- The organization of this transaction, or null. After its first use in a session an unset setting reads as '', hence nullif:
-- a missing setting must mean no rows, not an error and never all rows.
CREATE FUNCTION current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.current_org_id', true), '')::uuid;

-- Isolates one table: rows of the current organization for spooled_app, all rows for spooled_system, none for anybody else,
-- the owner included (FORCE). Every table with tenant data goes through here; a test reads the catalogue and says so.
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
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX organizations_billing_email ON organizations (lower(billing_email)) WHERE billing_email IS NOT NULL;
SELECT protect_tenant_table('organizations', 'id');

-- Writer: gateway. A key's text is never stored: bcrypt to verify it, SHA-256 to find it, eight characters to recognize it.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  key_prefix text NOT NULL,
  key_hash text NOT NULL,
  key_lookup text NOT NULL UNIQUE,
  queues text[] NOT NULL DEFAULT '{}',
  rate_limit integer,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used timestamptz,
  expires_at timestamptz
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at DESC);
SELECT protect_tenant_table('api_keys');

-- Writer: gateway. A queue needs no row here; without one the server's defaults hold.
CREATE TABLE queue_config (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  max_retries integer NOT NULL DEFAULT 3,
  default_timeout integer NOT NULL DEFAULT 300,
  rate_limit integer,
  enabled boolean NOT NULL DEFAULT true,
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, queue_name)
);
SELECT protect_tenant_table('queue_config');
