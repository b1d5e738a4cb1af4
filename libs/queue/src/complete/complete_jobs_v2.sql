-- Accepts results from holders of unexpired leases only; a few statements for each organization.
--
-- Input:
--   batch  [{organization, items: [item]}], in order of organization; see complete_part_v2
-- Output: one complete_part_v2 for each part
CREATE OR REPLACE FUNCTION complete_jobs_v2(batch json) RETURNS SETOF json
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    RETURN NEXT complete_part_v2((part ->> 'organization')::uuid, part -> 'items');
  END LOOP;
END
$$;
