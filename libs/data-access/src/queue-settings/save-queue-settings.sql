-- Creates or changes a queue's settings; null keeps what is there. `settings` are merged at their top level. Switching a
-- queue off or on is the same as pausing and resuming it.
-- $1 organization, $2 queue, $3 retries, $4 timeout in seconds, $5 rate limit, $6 enabled, $7 settings, $8 and $9 defaults of
-- retries and timeout.
INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, settings)
VALUES ($1, $2, coalesce($3, $8::integer), coalesce($4, $9::integer), $5, coalesce($6, true),
  CASE WHEN $6 THEN '{}' WHEN NOT $6 THEN jsonb_build_object('paused', true, 'paused_at', {now}) ELSE '{}' END || coalesce($7::jsonb, '{}'))
ON CONFLICT (organization_id, queue_name) DO UPDATE SET
  max_retries = coalesce($3, c.max_retries),
  default_timeout = coalesce($4, c.default_timeout),
  rate_limit = coalesce($5, c.rate_limit),
  enabled = coalesce($6, c.enabled),
  settings = CASE
    WHEN $6 AND NOT c.enabled THEN c.settings - '{paused,paused_at,paused_reason}'::text[]
    WHEN NOT $6 AND c.enabled THEN c.settings || jsonb_build_object('paused', true, 'paused_at', {now})
    ELSE c.settings
  END || coalesce($7::jsonb, '{}'),
  updated_at = now()
RETURNING id::text, organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, settings, created_at, updated_at,
  octet_length(settings::text) AS settings_bytes,
  coalesce(old.enabled, true) AS was_enabled, old.settings ->> 'paused_at' AS was_paused_at, now() AS saved_at
