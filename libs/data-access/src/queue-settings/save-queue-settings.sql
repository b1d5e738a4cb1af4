/* @name saveQueueSettings */
-- Creates or changes the settings of a queue; null leaves a value unchanged, but a rate limit if :setRateLimit. `settings` are merged at their top level. Disabling
-- and enabling a queue is the same as pausing and resuming it.
-- The defaults are for a queue without settings.
WITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now),
before AS MATERIALIZED (
  SELECT enabled, settings ->> 'paused_at' AS paused_at FROM queue_config
  WHERE organization_id = :organizationId! AND queue_name = :queueName! FOR UPDATE
)
INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, paused_by, settings)
SELECT
  :organizationId!, :queueName!,
  coalesce(:maxRetries, :defaultRetries!::integer), coalesce(:timeoutSeconds, :defaultTimeout!::integer),
  :rateLimit::float8, coalesce(:enabled, true), CASE WHEN NOT :enabled THEN nullif(current_setting('app.actor', true), '') END,
  CASE WHEN :enabled THEN '{}'
    WHEN NOT :enabled THEN jsonb_build_object('paused', true, 'paused_at',
      (SELECT now FROM clock)) ELSE '{}' END || coalesce(:settings::jsonb, '{}')
FROM clock LEFT JOIN before ON true
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  max_retries = coalesce(:maxRetries, c.max_retries),
  default_timeout = coalesce(:timeoutSeconds, c.default_timeout),
  rate_limit = CASE WHEN :setRateLimit! THEN :rateLimit ELSE c.rate_limit END,
  enabled = coalesce(:enabled, c.enabled),
  paused_by = CASE WHEN NOT :enabled AND c.enabled THEN excluded.paused_by ELSE c.paused_by END,
  settings = (CASE
    WHEN :enabled AND NOT c.enabled THEN c.settings - '{paused,paused_at,paused_reason}'::text[]
    WHEN NOT :enabled AND c.enabled THEN c.settings || jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock))
    ELSE c.settings
  END || coalesce(:settings::jsonb, '{}'))
    -- Headers may hold secrets of the receiver that they were given for, so they go with it.
    - CASE WHEN jsonb_exists(:settings::jsonb, 'callback_url') AND c.settings ->> 'callback_url' IS NOT NULL
        AND :settings::jsonb ->> 'callback_url' IS DISTINCT FROM c.settings ->> 'callback_url'
        AND NOT jsonb_exists(:settings::jsonb, 'callback_headers') THEN 'callback_headers' ELSE '' END,
  updated_at = current_ts()
RETURNING id::text AS "id!", organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled,
  (settings - :hidden!::text[])::text AS "settings!", created_at, updated_at,
  octet_length(settings::text) AS "settingsBytes!",
  coalesce((SELECT enabled FROM before), true) AS "wasEnabled!", (SELECT paused_at FROM before) AS "wasPausedAt", current_ts() AS "savedAt!";
