-- What an API key may do. Services of the previous version ignore the column, and keys that they create get the default: everything,
-- as all keys before. The default of a new column is not written into the rows, so the lock lasts no longer than the check of them.
ALTER TABLE api_keys ADD COLUMN role text NOT NULL DEFAULT 'admin'
  CONSTRAINT api_keys_role CHECK (role IN ('admin', 'operator', 'worker', 'viewer'));

-- A changed role invalidates cached keys and is in the audit log, as the other columns do and are.
CREATE OR REPLACE TRIGGER api_key_changed
  AFTER UPDATE OF is_active, queues, rate_limit, expires_at, key_lookup, role ON api_keys FOR EACH ROW
  WHEN ((OLD.is_active, OLD.queues, OLD.rate_limit, OLD.expires_at, OLD.key_lookup, OLD.role)
    IS DISTINCT FROM (NEW.is_active, NEW.queues, NEW.rate_limit, NEW.expires_at, NEW.key_lookup, NEW.role))
  EXECUTE FUNCTION note_api_key_change();
CREATE OR REPLACE TRIGGER audited
  AFTER INSERT OR DELETE OR UPDATE OF name, queues, rate_limit, is_active, expires_at, role ON api_keys
  FOR EACH ROW EXECUTE FUNCTION audit_change(
    'api_key', 'organization_id', 'id', 'r.name, r.role, r.queues, r.rate_limit, r.is_active, r.expires_at');
