-- Records in the transaction of their effects that commands have run. Fails with a unique violation where one has run before: then
-- all of the transaction must be undone.
--
-- Input:
--   batch  [{organization, commands: [{id, outcome}]}], in order of organization
CREATE OR REPLACE FUNCTION log_outcomes_v1(batch json) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    PERFORM set_config('app.current_org_id', part ->> 'organization', true);
    INSERT INTO command_log (organization_id, command_id, outcome)
    SELECT (part ->> 'organization')::uuid, c.id, c.outcome
    FROM json_to_recordset(part -> 'commands') AS c(id uuid, outcome json) ORDER BY c.id;
  END LOOP;
END
$$;
