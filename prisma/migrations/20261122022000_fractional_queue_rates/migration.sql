-- Rates below one job a second. The table is small, and statements of the previous release read and write the column as before.
ALTER TABLE queue_config ALTER COLUMN rate_limit TYPE double precision;

-- The token bucket of each rated queue, used where Redis is not: without REDIS_URL, and while it is down. Writer: libs/service, for the
-- gateway and for push queues. Unlogged: after a crash a bucket is full again, which is one second's jobs. No foreign key to
-- queue_config, whose row may be deleted while a claim runs; the statement takes nothing without it.
CREATE UNLOGGED TABLE queue_tokens (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  tokens double precision NOT NULL,
  refilled_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, queue_name)
) WITH (fillfactor = 50);
SELECT protect_tenant_table('queue_tokens');

-- What processes cache of a queue's settings. Kind 'settings', which the previous release knows: it reads more than it needs to.
CREATE FUNCTION note_queue_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN NULL;
END
$$;
CREATE TRIGGER queue_rate_changed AFTER UPDATE OF rate_limit ON queue_config FOR EACH ROW
  WHEN (OLD.rate_limit IS DISTINCT FROM NEW.rate_limit) EXECUTE FUNCTION note_queue_change();
CREATE TRIGGER queue_added AFTER INSERT ON queue_config FOR EACH ROW WHEN (NEW.rate_limit IS NOT NULL)
  EXECUTE FUNCTION note_queue_change();
CREATE TRIGGER queue_deleted AFTER DELETE ON queue_config FOR EACH ROW WHEN (OLD.rate_limit IS NOT NULL)
  EXECUTE FUNCTION note_queue_change();
