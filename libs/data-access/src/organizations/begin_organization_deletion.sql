-- Trigger of organizations: with the row goes what callers can see of the organization; its other rows are deleted in steps. Thereby the
-- operation has begun.
CREATE OR REPLACE FUNCTION begin_organization_deletion() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO operations (organization_id, kind, actor, started_at)
  VALUES (OLD.id, 'organization.delete', nullif(current_setting('app.actor', true), ''), current_ts(clock_timestamp()));
  RETURN NULL;
END
$$;
