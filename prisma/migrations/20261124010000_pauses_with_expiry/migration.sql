-- When a pause ends by itself, and who paused the queue. Services of the previous version ignore both; the trigger keeps an expiry from
-- outliving its pause when one of them resumes the queue.
ALTER TABLE queue_config ADD COLUMN pause_expires_at timestamptz, ADD COLUMN paused_by text;
-- The scheduler reads it twice per second.
CREATE INDEX queue_config_pause_expiry ON queue_config (pause_expires_at) WHERE NOT enabled AND pause_expires_at IS NOT NULL;

-- The function's text is libs/data-access/src/queue-settings/end_queue_pause.sql, installed after the migrations.
CREATE FUNCTION end_queue_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.pause_expires_at := NULL;
  NEW.paused_by := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER pause_ended BEFORE UPDATE OF enabled ON queue_config
  FOR EACH ROW WHEN (NEW.enabled) EXECUTE FUNCTION end_queue_pause();

-- An expiry is in the audit log, as the other settings are.
CREATE OR REPLACE TRIGGER audited
  AFTER INSERT OR DELETE OR UPDATE OF max_retries, default_timeout, rate_limit, enabled, settings, pause_expires_at ON queue_config
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'queue', 'organization_id', 'queue_name', 'r.max_retries, r.default_timeout, r.rate_limit, r.enabled, r.settings, r.pause_expires_at');
