-- Trigger of tables that processes cache for each organization.
--
-- Arguments: the kind that caches know, and the column that names what has changed: 'queue', 'queue_name'
CREATE OR REPLACE FUNCTION note_setting_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(NEW, OLD));
  org uuid := changed ->> 'organization_id';
BEGIN
  -- Nothing of a deleted organization is used, and it is removed under a role that may not write here.
  IF TG_OP <> 'DELETE' OR EXISTS (SELECT FROM organizations WHERE id = org) THEN
    PERFORM note_credential_change(org, 'settings', TG_ARGV[0] || ':' || (changed ->> TG_ARGV[1]));
  END IF;
  RETURN NULL;
END
$$;
