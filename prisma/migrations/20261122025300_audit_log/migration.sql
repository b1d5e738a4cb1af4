-- Who changed what an organization has set up, and acts that delete or move many of its jobs. Written in the transaction of the act.
--
-- Writer: triggers below (settings), gateway and libs/queue (acts). Append-only: nobody may change a row, and only the scheduler may
-- delete rows, by age. No reference to organizations: what was done to one that is deleted stays.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
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
SELECT protect_tenant_table('audit_log');
REVOKE UPDATE, DELETE ON audit_log FROM spooled_app;
REVOKE UPDATE ON audit_log FROM spooled_system;

-- The function's text is libs/data-access/src/audit/audit_change.sql, installed after the migrations.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

-- Arguments: kind of the target, column with the organization, column with the target's id, what of the row `r` is recorded. Only of
-- columns that callers set: what services update all the time (last_used, next_run_at, failure_count) does not fire a trigger.
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF name, queues, rate_limit, is_active, expires_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'api_key', 'organization_id', 'id', 'r.name, r.queues, r.rate_limit, r.is_active, r.expires_at');
CREATE TRIGGER audited AFTER INSERT OR DELETE
  OR UPDATE OF name, slug, plan_tier, billing_email, settings, custom_limits, stripe_customer_id, stripe_subscription_id,
    stripe_subscription_status, stripe_current_period_end, stripe_cancel_at_period_end ON organizations
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'organization', 'id', 'id', 'r.name, r.slug, r.plan_tier, r.billing_email, r.settings, r.custom_limits, r.stripe_customer_id,
    r.stripe_subscription_id, r.stripe_subscription_status, r.stripe_current_period_end, r.stripe_cancel_at_period_end');
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF max_retries, default_timeout, rate_limit, enabled, settings ON queue_config
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'queue', 'organization_id', 'queue_name', 'r.max_retries, r.default_timeout, r.rate_limit, r.enabled, r.settings');
CREATE TRIGGER audited AFTER INSERT OR DELETE ON outgoing_webhooks
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'webhook', 'organization_id', 'id', 'r.name, r.url, r.events, r.format, r.secret, r.enabled');
-- Apart, because each delivery writes `enabled`, nearly always as it was.
CREATE TRIGGER audited_update AFTER UPDATE OF name, url, events, format, secret, enabled ON outgoing_webhooks
  FOR EACH ROW
  WHEN ((OLD.name, OLD.url, OLD.events, OLD.format, OLD.secret, OLD.enabled)
    IS DISTINCT FROM (NEW.name, NEW.url, NEW.events, NEW.format, NEW.secret, NEW.enabled))
  EXECUTE FUNCTION audit_change('webhook', 'organization_id', 'id', 'r.name, r.url, r.events, r.format, r.secret, r.enabled');
CREATE TRIGGER audited AFTER INSERT OR DELETE
  OR UPDATE OF name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries, timeout_seconds,
    is_active, tags, metadata ON schedules
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'schedule', 'organization_id', 'id', 'r.name, r.description, r.cron_expression, r.timezone, r.queue_name,
    md5(r.payload_template::text) AS payload_template_md5, r.priority, r.max_retries, r.timeout_seconds, r.is_active, r.tags,
    r.metadata');
CREATE TRIGGER audited_begin AFTER INSERT ON operations
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'operation', 'organization_id', 'id', 'r.kind, r.queues, r.filter - ''job_ids'' AS filter,
    jsonb_array_length(r.filter -> ''job_ids'') AS job_ids, r.settings, r.payload_patch IS NOT NULL AS has_payload_patch, r.total');
CREATE TRIGGER audited_cancellation AFTER UPDATE OF state ON operations
  FOR EACH ROW WHEN (NEW.state = 'cancelled' AND OLD.state <> 'cancelled')
  EXECUTE FUNCTION audit_change('operation', 'organization_id', 'id', 'r.state');
