-- As complete_jobs_v4, for services of the previous release.
--
-- Input:
--   organizations  in order
--   lists          [[item]], the items of each organization; see complete_part_v2
-- Output: one complete_part_v2 for each organization
CREATE OR REPLACE FUNCTION complete_jobs_v3(organizations uuid[], lists json) RETURNS SETOF json
  LANGUAGE plpgsql
AS $$
DECLARE
  org uuid;
  items json;
BEGIN
  FOR org, items IN SELECT o, l FROM ROWS FROM (unnest(organizations), json_array_elements(lists)) AS parts(o, l) LOOP
    RETURN NEXT complete_part_v2(org, items);
  END LOOP;
END
$$;
