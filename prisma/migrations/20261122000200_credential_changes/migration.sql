-- Changes of credentials, written in the transaction that makes them: what a process has cached about a key, an organization or a
-- session is given up because of a row here, whether or not a notice in Redis tells of it.

-- Writer: triggers below. The last change of each subject, not every change, so the table is no larger than what can change. Rows are
-- kept longer than any cached entry lives; the scheduler removes older ones. No foreign key: the end of an organization is a change.
-- changed_xid: readers ask for what their last snapshot cannot have shown, and that is known of transactions, not of times or serials.
CREATE TABLE credential_changes (
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('api_key', 'organization', 'settings', 'session')),
  -- api_key: its key_lookup; session: its id; otherwise empty.
  subject text NOT NULL,
  changed_xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, kind, subject)
);
CREATE INDEX credential_changes_xid ON credential_changes (changed_xid);
SELECT protect_tenant_table('credential_changes');

-- Writer: gateway. Sessions that were logged out, until the last of their tokens would have ended anyway.
CREATE TABLE revoked_sessions (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  session_id uuid NOT NULL,
  revoked_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, session_id)
);
CREATE INDEX revoked_sessions_expires_at ON revoked_sessions (expires_at);
SELECT protect_tenant_table('revoked_sessions');

CREATE FUNCTION note_credential_change(changed_organization uuid, changed_kind text, changed_subject text) RETURNS void
  LANGUAGE sql
AS $$
  INSERT INTO credential_changes (organization_id, kind, subject) VALUES (changed_organization, changed_kind, changed_subject)
  ON CONFLICT (organization_id, kind, subject) DO UPDATE SET changed_xid = EXCLUDED.changed_xid, changed_at = EXCLUDED.changed_at
$$;

CREATE FUNCTION note_api_key_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  -- Keys that go with their organization are covered by its own row, and are removed under a role that may not write here.
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id) THEN
    PERFORM note_credential_change(OLD.organization_id, 'api_key', OLD.key_lookup);
  END IF;
  RETURN NULL;
END
$$;
-- Not of last_used, which changes all the time and is not cached.
CREATE TRIGGER api_key_changed AFTER UPDATE OF is_active, queues, rate_limit, expires_at, key_lookup ON api_keys FOR EACH ROW
  WHEN ((OLD.is_active, OLD.queues, OLD.rate_limit, OLD.expires_at, OLD.key_lookup)
    IS DISTINCT FROM (NEW.is_active, NEW.queues, NEW.rate_limit, NEW.expires_at, NEW.key_lookup))
  EXECUTE FUNCTION note_api_key_change();
CREATE TRIGGER api_key_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_api_key_change();

CREATE FUNCTION note_organization_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (OLD.plan_tier, OLD.custom_limits) IS DISTINCT FROM (NEW.plan_tier, NEW.custom_limits) THEN
    PERFORM note_credential_change(OLD.id, 'organization', '');
  END IF;
  IF TG_OP = 'DELETE' OR OLD.settings IS DISTINCT FROM NEW.settings THEN
    PERFORM note_credential_change(OLD.id, 'settings', '');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER organization_changed AFTER UPDATE OF plan_tier, custom_limits, settings ON organizations FOR EACH ROW
  EXECUTE FUNCTION note_organization_change();
CREATE TRIGGER organization_deleted AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION note_organization_change();

CREATE FUNCTION note_session_end() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM note_credential_change(NEW.organization_id, 'session', NEW.session_id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER session_revoked AFTER INSERT ON revoked_sessions FOR EACH ROW EXECUTE FUNCTION note_session_end();
