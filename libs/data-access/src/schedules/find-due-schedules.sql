/* @name findDueSchedules */
-- Due schedules with the fields of their jobs, the longest overdue first. Schedules of deleted organizations are deactivated
-- instead. Returns as many as have :maxBytes of payloads, and at least one. Those of the organizations :except are left for later.
-- Index: schedules_due, bounded by statement_timestamp(): an index cannot be searched by the volatile clock_timestamp(), and all active
-- schedules would be read; payload_contracts_current.
WITH due AS MATERIALIZED (
  SELECT s.*, o.plan_tier, o.custom_limits FROM schedules s JOIN organizations o ON o.id = s.organization_id
  WHERE s.is_active AND s.next_run_at <= current_ts(statement_timestamp()) AND s.organization_id <> ALL (:except!::uuid[])
  ORDER BY s.next_run_at, s.id LIMIT :limit!
), retired AS (
  UPDATE schedules s SET next_run_at = NULL FROM due WHERE s.id = due.id AND due.plan_tier = 'deleted'
), sized AS (
  SELECT *, octet_length(payload_template::text) AS bytes,
    sum(octet_length(payload_template::text)) OVER (ORDER BY next_run_at, id) AS bytes_so_far
  FROM due WHERE plan_tier <> 'deleted'
)
SELECT
  id, organization_id, name, cron_expression, timezone, queue_name, payload_template AS payload, priority, max_retries,
  timeout_seconds, tags::text AS tags, settings::text AS settings, next_run_at AS "due_at!", updated_at AS changed_at, plan_tier, custom_limits,
  EXISTS (
    SELECT FROM payload_contracts c
    WHERE c.organization_id = sized.organization_id AND c.queue_name = sized.queue_name AND c.is_current
  ) AS "has_contract!",
  current_ts(clock_timestamp()) AS "now!"
FROM sized WHERE bytes_so_far - bytes < :maxBytes!;
