/* @name findReceiver */
-- The plan and webhook secrets of an organization; an empty secret is none. A signing secret is a text, or a list of texts while it changes.
-- No row: the organization does not exist or is deleted. Index: primary key.
SELECT
  plan_tier AS "planTier", custom_limits AS "customLimits",
  nullif(settings ->> 'webhook_token', '') AS token,
  CASE jsonb_typeof(settings -> 'github_webhook_secret')
    WHEN 'array' THEN ARRAY(SELECT s FROM jsonb_array_elements_text(settings -> 'github_webhook_secret') AS s WHERE s <> '')
    ELSE array_remove(ARRAY[nullif(settings ->> 'github_webhook_secret', '')], NULL) END AS "github!",
  CASE jsonb_typeof(settings -> 'stripe_webhook_secret')
    WHEN 'array' THEN ARRAY(SELECT s FROM jsonb_array_elements_text(settings -> 'stripe_webhook_secret') AS s WHERE s <> '')
    ELSE array_remove(ARRAY[nullif(settings ->> 'stripe_webhook_secret', '')], NULL) END AS "stripe!",
  CASE jsonb_typeof(settings -> 'standard_webhook_secret')
    WHEN 'array' THEN ARRAY(SELECT s FROM jsonb_array_elements_text(settings -> 'standard_webhook_secret') AS s WHERE s <> '')
    ELSE array_remove(ARRAY[nullif(settings ->> 'standard_webhook_secret', '')], NULL) END AS "standard!"
FROM organizations
WHERE id = :organizationId! AND plan_tier <> 'deleted';
