/* @name findQueue */
-- The settings of a queue; the defaults for a queue that was created by a job and is not configured. :hidden members are left out;
-- :withSecrets false also hides secrets among the caller's own members, and receivers, as the audit log does.
SELECT
  coalesce(c.id::text, 'implicit:' || q.queue_name) AS "id!", :organizationId!::uuid AS "organization_id!",
  :queueName!::text AS "queue_name!",
  coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
  coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!", c.rate_limit AS "rate_limit?",
  coalesce(c.enabled, true) AS "enabled!",
  (CASE WHEN :withSecrets!::boolean THEN s.settings ELSE without_secrets_v1(s.settings) END)::text AS "settings!",
  coalesce(c.created_at, q.first_seen) AS "created_at!", coalesce(c.updated_at, q.first_seen) AS "updated_at!"
FROM (SELECT) AS one
LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!
LEFT JOIN queues q ON q.organization_id = :organizationId! AND q.queue_name = :queueName!
CROSS JOIN LATERAL (SELECT coalesce(c.settings, '{"implicit": true}') - :hidden!::text[] AS settings) s
WHERE c.id IS NOT NULL OR q.queue_name IS NOT NULL;
