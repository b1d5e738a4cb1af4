/* @name retireOrganization */
-- Marks the current organization as deleted and revokes its keys. Row-level security restricts both updates to the current
-- organization. Returns the lookup hashes of its keys; no row: the organization does not exist.
WITH revoked AS (
  UPDATE api_keys SET is_active = false
), retired AS (
  UPDATE organizations SET plan_tier = 'deleted', updated_at = current_ts()
  RETURNING id
)
SELECT ARRAY(SELECT key_lookup FROM api_keys) AS "lookups!" FROM retired;
