-- How many jobs of a queue may be worked on at once, or null. Settings are free JSON: what makes no sense counts as absent.
--
-- Input:
--   settings  of queue_config
CREATE OR REPLACE FUNCTION queue_concurrency_v1(settings jsonb) RETURNS integer
  LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN jsonb_typeof(settings -> 'concurrency') = 'number' AND (settings ->> 'concurrency')::numeric BETWEEN 1 AND 10000
    THEN floor((settings ->> 'concurrency')::numeric)::integer END
$$;
