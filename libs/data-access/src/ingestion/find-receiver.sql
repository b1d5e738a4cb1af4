/* @name findReceiver */
-- The plan and webhook secrets of an organization; an empty secret is null. No row: the organization does not exist or is deleted.
-- Index: primary key.
SELECT
  plan_tier, custom_limits,
  nullif(settings ->> 'webhook_token', '') AS token,
  nullif(settings ->> 'github_webhook_secret', '') AS github_secret,
  nullif(settings ->> 'stripe_webhook_secret', '') AS stripe_secret
FROM organizations
WHERE id = :organizationId! AND plan_tier <> 'deleted';
