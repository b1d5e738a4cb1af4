-- Records that credentials have changed, for every process that caches them. Called by the triggers below credential_changes.
--
-- Input:
--   changed_organization
--   changed_kind     'api_key', 'organization', 'settings' or 'session'
--   changed_subject  the key's lookup hash or the session's id; otherwise ''
CREATE OR REPLACE FUNCTION note_credential_change(changed_organization uuid, changed_kind text, changed_subject text) RETURNS void
  LANGUAGE sql
AS $$
  INSERT INTO credential_changes (organization_id, kind, subject) VALUES (changed_organization, changed_kind, changed_subject)
  ON CONFLICT (organization_id, kind, subject) DO UPDATE SET changed_xid = EXCLUDED.changed_xid, changed_at = EXCLUDED.changed_at
$$;
