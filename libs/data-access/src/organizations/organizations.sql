/* @name findOrganization */
SELECT id, name, slug, plan_tier, billing_email, stripe_customer_id, stripe_subscription_id, stripe_subscription_status,
  stripe_current_period_end, stripe_cancel_at_period_end, created_at, updated_at
FROM organizations WHERE id = :organizationId!;

/* @name readOrganizationDocuments */
-- As text: JSON.parse would round their numbers. :withSecrets false leaves out the :hidden members of the settings, and hides secrets
-- among the others as the audit log does.
SELECT (CASE WHEN :withSecrets!::boolean THEN settings ELSE without_secrets_v1(settings - :hidden!::text[]) END)::text AS "settings!", custom_limits::text AS "custom_limits?"
FROM organizations WHERE id = :organizationId!;

/* @name changeOrganization */
-- :changes members by the names of the columns; absent ones are unchanged, null resets. :settings replaces all but the webhook token.
UPDATE organizations o SET
  (name, plan_tier, billing_email, stripe_customer_id, stripe_subscription_id, stripe_subscription_status, stripe_current_period_end,
    stripe_cancel_at_period_end) = (
    SELECT c.name, c.plan_tier, c.billing_email, c.stripe_customer_id, c.stripe_subscription_id, c.stripe_subscription_status,
      c.stripe_current_period_end, c.stripe_cancel_at_period_end
    FROM jsonb_populate_record(o, :changes!::jsonb) c
  ),
  settings = coalesce(:settings::jsonb - 'webhook_token', settings)
    || CASE
      WHEN :webhookToken::text IS NOT NULL THEN jsonb_build_object('webhook_token', :webhookToken::text)
      WHEN settings ? 'webhook_token' THEN jsonb_build_object('webhook_token', settings -> 'webhook_token')
      ELSE '{}'
    END,
  custom_limits = CASE WHEN :setsCustomLimits! THEN :customLimits::jsonb ELSE custom_limits END,
  updated_at = current_ts()
WHERE id = :organizationId!
RETURNING id, name, slug, plan_tier, billing_email, stripe_customer_id, stripe_subscription_id, stripe_subscription_status,
  stripe_current_period_end, stripe_cancel_at_period_end, created_at, updated_at;
