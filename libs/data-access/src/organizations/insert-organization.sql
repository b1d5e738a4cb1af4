-- An organization with its first API key, for all queues. In one statement, because anybody may register: through models this
-- would be ten times the work.
-- $1 id  $2 name  $3 slug  $4 plan  $5 billing address  $6 settings  $7 name of the key  $8 key_prefix  $9 key_digest  $10 key_lookup
WITH organization AS (
  INSERT INTO organizations (id, name, slug, plan_tier, billing_email, settings) VALUES ($1, $2, $3, $4, $5, $6) RETURNING *
), api_key AS (
  INSERT INTO api_keys (organization_id, name, key_prefix, key_hash, key_digest, key_lookup)
  SELECT id, $7, $8, '', $9, $10 FROM organization
  RETURNING *
)
SELECT to_jsonb(organization) AS organization, to_jsonb(api_key) AS api_key FROM organization, api_key
