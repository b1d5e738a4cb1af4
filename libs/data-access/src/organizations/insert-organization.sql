/* @name insertOrganization */
-- Inserts an organization with its first API key, for all queues. One statement, because registration is public.
WITH organization AS (
  INSERT INTO organizations (id, name, slug, plan_tier, billing_email, settings, custom_limits)
  VALUES (:id!, :name!, :slug!, :planTier!, :billingEmail, :settings!::jsonb || jsonb_build_object('webhook_token', :webhookToken!::text),
    :customLimits::jsonb)
  RETURNING id, name, slug, plan_tier, billing_email, settings::text AS settings, custom_limits::text AS custom_limits,
    stripe_customer_id, stripe_subscription_id, stripe_subscription_status, stripe_current_period_end, stripe_cancel_at_period_end, created_at,
    updated_at
), api_key AS (
  INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup)
  SELECT id, :keyName!, :keyPrefix!, :keyDigest!, :keyLookup! FROM organization
  RETURNING id, name, created_at
)
SELECT
  o.id, o.name, o.slug, o.plan_tier, o.billing_email, o.settings AS "settings!", o.custom_limits, o.stripe_customer_id,
  o.stripe_subscription_id, o.stripe_subscription_status, o.stripe_current_period_end, o.stripe_cancel_at_period_end, o.created_at, o.updated_at,
  k.id AS key_id, k.name AS key_name, k.created_at AS key_created_at
FROM organization o, api_key k;
