/* @name pauseQueue */
-- Pauses a queue until :expiresAt, null = until it is resumed. A queue that is already paused keeps its pause time, and gets the new
-- reason, expiry and actor.
-- The defaults are for a queue without settings.
WITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
INSERT INTO queue_config AS c (
  organization_id, queue_name, max_retries, default_timeout, enabled, settings, pause_expires_at, paused_by)
VALUES (
  :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,
  jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text),
  :expiresAt::timestamptz, nullif(current_setting('app.actor', true), '')
)
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  enabled = false,
  pause_expires_at = excluded.pause_expires_at,
  paused_by = excluded.paused_by,
  settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,
    'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))
      ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),
  updated_at = current_ts()
RETURNING settings ->> 'paused_at' AS "paused_at!", pause_expires_at,
  -- Only a queue that was enabled gets this time.
  settings ->> 'paused_at' = (SELECT now FROM clock) AS "changed!";

/* @name findPause */
-- The pause of a queue; no row if it is not paused.
SELECT settings ->> 'paused_at' AS "paused_at?", left(settings ->> 'paused_reason', 500) AS "reason?", pause_expires_at, paused_by
FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT enabled;
