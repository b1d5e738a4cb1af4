/* @name findApiKey */
-- The valid API key of a lookup hash with the plan of its organization. No row: the key is unknown, inactive or expired, or its
-- organization was deleted. The tenant is not known before the key is found, so this runs as spooled_system.
-- `position` and `readAt` are compared with later credential changes.
-- Index: api_keys_key_lookup_key.
SELECT k.id AS "apiKeyId", k.name, k.organization_id AS "organizationId", k.key_digest AS digest, k.queues, k.rate_limit AS "rateLimit", k.role,
  k.expires_at AS "expiresAt", o.plan_tier AS "planTier", o.custom_limits AS "customLimits",
  pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "position!", extract(epoch FROM current_ts())::float8 * 1000 AS "readAt!"
FROM api_keys k
JOIN organizations o ON o.id = k.organization_id
WHERE k.key_lookup = :lookup!
  AND k.is_active
  AND (k.expires_at IS NULL OR k.expires_at > current_ts())
  AND o.plan_tier <> 'deleted';
