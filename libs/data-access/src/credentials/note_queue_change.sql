-- Trigger of queue_config, for what processes cache of a queue: see its triggers for the columns.
CREATE OR REPLACE FUNCTION note_queue_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  changed record := coalesce(NEW, OLD);
BEGIN
  -- Nothing of a deleted organization is used, and it is removed under a role that may not write here.
  IF TG_OP <> 'DELETE' OR EXISTS (SELECT FROM organizations WHERE id = changed.organization_id) THEN
    PERFORM note_credential_change(changed.organization_id, 'settings', 'queue:' || changed.queue_name);
  END IF;
  RETURN NULL;
END
$$;
