-- Those of the queues in which jobs have ended that bound how many are worked on at once: claims may wait for the places.
--
-- Input:
--   org
--   ended  ["queue"], each any number of times; null: none
-- Output: ["queue"]
-- Relies on: queue_config_limited
CREATE OR REPLACE FUNCTION queues_with_free_slots_v1(org uuid, ended json) RETURNS jsonb
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF ended IS NULL
    OR NOT EXISTS (SELECT FROM queue_config c WHERE c.organization_id = org AND c.settings ? 'concurrency') THEN
    RETURN '[]';
  END IF;
  RETURN (
    SELECT coalesce(jsonb_agg(c.queue_name), '[]') FROM queue_config c
    WHERE c.organization_id = org AND c.settings ? 'concurrency' AND queue_concurrency_v1(c.settings) IS NOT NULL
      AND c.queue_name = ANY (ARRAY(SELECT DISTINCT name FROM json_array_elements_text(ended) AS name)));
END
$$;
