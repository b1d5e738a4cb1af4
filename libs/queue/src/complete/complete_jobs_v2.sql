-- As complete_jobs_v3, for services of the previous release.
--
-- Input:
--   batch  [{organization, items: [item]}], in order of organization; see complete_part_v2
-- Output: one complete_part_v2 for each part
CREATE OR REPLACE FUNCTION complete_jobs_v2(batch json) RETURNS SETOF json
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY SELECT * FROM complete_jobs_v3(
    ARRAY(SELECT (part ->> 'organization')::uuid FROM json_array_elements(batch) AS part),
    (SELECT json_agg(part -> 'items') FROM json_array_elements(batch) AS part));
END
$$;
