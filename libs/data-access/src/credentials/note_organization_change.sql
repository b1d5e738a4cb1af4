-- Trigger of organizations: plan and limits are cached with credentials, settings by themselves.
CREATE OR REPLACE FUNCTION note_organization_change() RETURNS trigger
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
