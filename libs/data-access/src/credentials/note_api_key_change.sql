-- Trigger of api_keys: see the triggers api_key_changed and api_key_deleted for the columns that matter.
CREATE OR REPLACE FUNCTION note_api_key_change() RETURNS trigger
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
