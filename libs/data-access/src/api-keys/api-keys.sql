/* @name insertApiKey */
INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup, queues, rate_limit, role, expires_at)
VALUES (:organizationId!, :name!, :prefix!, :digest!, :lookup!, :queues!, :rateLimit, :role!, :expiresAt)
RETURNING id, organization_id, name, key_prefix, key_lookup, queues, rate_limit, role, is_active, created_at, last_used, expires_at;

/* @name countActiveKeys */
-- Of the plan, under `lockApiKeys`. Identities of people are no keys of the plan.
SELECT count(*) AS "active!" FROM api_keys WHERE organization_id = :organizationId! AND is_active AND key_prefix <> 'sign-in';

/* @name hasAdministrator */
-- Whether an API key, or an identity of people where they can sign in (:withPeople), can manage the keys of the organization now.
-- Under `lockApiKeys`.
SELECT EXISTS (
  SELECT FROM api_keys WHERE organization_id = :organizationId! AND is_active AND role = 'admin'
    AND (expires_at IS NULL OR expires_at > current_ts()) AND (queues = '{}' OR '*' = ANY (queues))
    AND (:withPeople! OR key_prefix <> 'sign-in')
) AS "has!";

/* @name insertSignInIdentity */
-- Not again for the role; two at once insert one.
INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup, role)
VALUES (:organizationId!, :name!, 'sign-in', '-', :lookup!, :role!)
ON CONFLICT (key_lookup) DO NOTHING;

/* @name findSignInIdentity */
SELECT id FROM api_keys WHERE organization_id = :organizationId! AND key_lookup = :lookup! AND is_active AND role = :role!;

/* @name listApiKeys */
-- Newest first: ids are made in the order of creation.
SELECT id, organization_id, name, key_prefix, key_lookup, queues, rate_limit, role, is_active, created_at, last_used, expires_at
FROM api_keys WHERE organization_id = :organizationId! AND (:afterId::uuid IS NULL OR id < :afterId)
ORDER BY id DESC LIMIT :limit! OFFSET :offset!;

/* @name findFirstKey */
SELECT id FROM api_keys WHERE organization_id = :organizationId! ORDER BY id LIMIT 1;

/* @name listKeyLookups */
SELECT key_lookup FROM api_keys WHERE organization_id = :organizationId!;

/* @name findApiKey */
SELECT id, organization_id, name, key_prefix, key_lookup, queues, rate_limit, role, is_active, created_at, last_used, expires_at
FROM api_keys WHERE organization_id = :organizationId! AND id = :id!;

/* @name changeApiKey */
-- :changes members by the names of the columns; absent ones are unchanged.
UPDATE api_keys k SET (name, queues, rate_limit, role, is_active) = (
  SELECT c.name, c.queues, c.rate_limit, c.role, c.is_active FROM jsonb_populate_record(k, :changes!::jsonb) c
)
WHERE organization_id = :organizationId! AND id = :id!
RETURNING id, organization_id, name, key_prefix, key_lookup, queues, rate_limit, role, is_active, created_at, last_used, expires_at;
