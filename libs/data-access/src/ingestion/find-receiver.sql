/* @name findReceiver */
-- What an organization wants of those who send it webhooks. An empty setting counts as none. A deleted organization receives nothing.
-- Index: primary key.
SELECT
  plan_tier, custom_limits,
  nullif(settings ->> 'webhook_token', '') AS token,
  nullif(settings ->> 'github_webhook_secret', '') AS github_secret,
  nullif(settings ->> 'stripe_webhook_secret', '') AS stripe_secret
FROM organizations
WHERE id = :organizationId! AND plan_tier <> 'deleted';
