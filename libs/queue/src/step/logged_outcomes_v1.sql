-- What earlier runs of commands have answered. The log holds commands whose effect cannot be told from other rows.
--
-- Input:
--   batch  [{organization, commands: [id]}]
-- Output: {id: outcome} of those that have run
CREATE OR REPLACE FUNCTION logged_outcomes_v1(batch json) RETURNS json
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  part json;
  found json;
  outcomes jsonb := '{}';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    PERFORM set_config('app.current_org_id', part ->> 'organization', true);
    SELECT json_object_agg(l.command_id, l.outcome) INTO found FROM command_log l
    WHERE l.organization_id = (part ->> 'organization')::uuid
      AND l.command_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(part -> 'commands')));
    outcomes := outcomes || coalesce(found::jsonb, '{}');
  END LOOP;
  RETURN outcomes;
END
$$;
