/* @name pauseQueue */
-- Pauses a queue. A queue that is already paused keeps its pause time.
-- The defaults are for a queue without settings.
WITH clock AS (SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, enabled, settings)
VALUES (
  :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,
  jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text)
)
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  enabled = false,
  settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,
    'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))
      ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),
  updated_at = now()
RETURNING settings ->> 'paused_at' AS "paused_at!", coalesce(old.enabled, true) AS "changed!";
