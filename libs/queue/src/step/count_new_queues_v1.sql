-- How many of these queues do not count against the plan's cap yet; see count_queues_v1.
--
-- Input:
--   org
--   queue_names
CREATE OR REPLACE FUNCTION count_new_queues_v1(org uuid, queue_names text[]) RETURNS bigint
  LANGUAGE sql STABLE
AS $$
  SELECT count(DISTINCT asked.queue) FROM unnest(queue_names) AS asked(queue)
  WHERE NOT EXISTS (SELECT FROM queues q WHERE q.organization_id = org AND q.queue_name = asked.queue)
    AND NOT EXISTS (SELECT FROM queue_config c WHERE c.organization_id = org AND c.queue_name = asked.queue)
    AND NOT EXISTS (
      SELECT FROM schedules s WHERE s.organization_id = org AND s.is_active AND s.queue_name = asked.queue)
$$;
