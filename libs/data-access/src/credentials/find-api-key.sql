/* @name findApiKey */
-- The valid API key of a lookup hash with the plan of its organization. No row: the key is unknown, inactive or expired, or its
-- organization was deleted. The tenant is not known before the key is found, so this runs as spooled_system.
-- `position` and `read_at` are compared with later credential changes.
-- Index: api_keys_key_lookup_key.
SELECT k.id, k.name, k.organization_id, k.key_digest, k.queues, k.rate_limit, k.role, k.expires_at, o.plan_tier, o.custom_limits,
  pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "position!", extract(epoch FROM current_ts())::float8 * 1000 AS "read_at!"
FROM api_keys k
JOIN organizations o ON o.id = k.organization_id
WHERE k.key_lookup = :lookup!
  AND k.is_active
  AND (k.expires_at IS NULL OR k.expires_at > current_ts())
  AND o.plan_tier <> 'deleted';
