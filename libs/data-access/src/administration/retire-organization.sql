/* @name retireOrganization */
-- Ends an organization without removing anything: no key of it is valid any more. Row-level security keeps both parts to the
-- current organization. Returns the digests by which caches know its keys; no row: there is no such organization.
WITH revoked AS (
  UPDATE api_keys SET is_active = false
), retired AS (
  UPDATE organizations SET plan_tier = 'deleted', updated_at = now()
  RETURNING id
)
SELECT ARRAY(SELECT key_lookup FROM api_keys) AS "lookups!" FROM retired;
