-- Queues that count against the plan's cap: configured, used by jobs, or named by an active schedule.
--
-- Input:
--   org
CREATE OR REPLACE FUNCTION count_queues_v1(org uuid) RETURNS bigint
  LANGUAGE sql STABLE
AS $$
  SELECT count(*) FROM (
    SELECT queue_name FROM queues WHERE organization_id = org
    UNION SELECT queue_name FROM queue_config WHERE organization_id = org
    UNION SELECT queue_name FROM schedules WHERE organization_id = org AND is_active
  ) AS known
$$;
