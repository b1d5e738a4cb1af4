-- Stops a queue from giving out jobs. A queue that was paused before keeps the time at which that began.
-- $1 organization, $2 queue, $3 reason, $4 and $5 defaults of retries and timeout for a queue without settings.
INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, enabled, settings)
VALUES ($1, $2, $4, $5, false, jsonb_build_object('paused', true, 'paused_at', {now}, 'paused_reason', $3::text))
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  enabled = false,
  settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', $3::text,
    'paused_at', CASE WHEN c.enabled THEN to_jsonb({now}) ELSE coalesce(c.settings -> 'paused_at', to_jsonb({now})) END),
  updated_at = now()
RETURNING settings ->> 'paused_at' AS paused_at, coalesce(old.enabled, true) AS changed
