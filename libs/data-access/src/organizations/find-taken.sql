-- Which slugs are in use, and whether a billing address is, over all organizations: hence as spooled_system.
-- $1 slugs, $2 billing address or null. Indexes: organizations_slug_key, organizations_billing_email.
SELECT
  coalesce((SELECT array_agg(slug) FROM organizations WHERE slug = ANY ($1::text[])), '{}') AS slugs,
  EXISTS (SELECT FROM organizations WHERE lower(billing_email) = lower($2::text)) AS email_taken
