-- Lets a queue give out jobs again; answers since when it had not, or null when it had.
-- $1 organization, $2 queue.
UPDATE queue_config SET
  enabled = true, settings = settings - '{paused,paused_at,paused_reason}'::text[], updated_at = now()
WHERE organization_id = $1 AND queue_name = $2
RETURNING CASE WHEN NOT old.enabled THEN old.settings ->> 'paused_at' END AS paused_at, NOT old.enabled AS changed, now() AS resumed_at
