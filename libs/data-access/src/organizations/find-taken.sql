/* @name findTaken */
-- Which slugs are in use, and whether the billing address is, across all organizations, so as spooled_system.
-- Indexes: organizations_slug_key, organizations_billing_email.
SELECT
  coalesce((SELECT array_agg(slug) FROM organizations WHERE slug = ANY (:slugs!::text[])), '{}') AS "slugs!",
  EXISTS (SELECT FROM organizations WHERE lower(billing_email) = lower(:billingEmail::text)) AS "email_taken!";
