-- As freed_queues_v2, for callers whose jobs are objects.
--
-- Input:
--   org
--   ended  [{queue, …}]
-- Output: ["queue"]
CREATE OR REPLACE FUNCTION freed_queues_v1(org uuid, ended json) RETURNS jsonb
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN freed_queues_v2(org, (SELECT json_agg(e -> 'queue') FROM json_array_elements(ended) AS e));
END
$$;
