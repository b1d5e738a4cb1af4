-- Trigger of throttles, for what processes cache of an organization.
CREATE OR REPLACE FUNCTION note_throttle_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  changed record := coalesce(NEW, OLD);
BEGIN
  -- Nothing of a deleted organization is used, and it is removed under a role that may not write here.
  IF TG_OP <> 'DELETE' OR EXISTS (SELECT FROM organizations WHERE id = changed.organization_id) THEN
    PERFORM note_credential_change(changed.organization_id, 'settings', 'throttle:' || changed.id);
  END IF;
  RETURN NULL;
END
$$;
