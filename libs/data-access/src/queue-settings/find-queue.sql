/* @name findQueue */
-- The settings of a queue; the defaults for a queue that was created by a job and is not configured.
SELECT
  coalesce(c.id::text, 'implicit:' || q.queue_name) AS "id!", :organizationId!::uuid AS "organization_id!",
  :queueName!::text AS "queue_name!",
  coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
  coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!", c.rate_limit AS "rate_limit?",
  coalesce(c.enabled, true) AS "enabled!", (coalesce(c.settings, '{"implicit": true}') - :hidden!::text[])::text AS "settings!",
  coalesce(c.created_at, q.first_seen) AS "created_at!", coalesce(c.updated_at, q.first_seen) AS "updated_at!"
FROM (SELECT) AS one
LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!
LEFT JOIN queues q ON q.organization_id = :organizationId! AND q.queue_name = :queueName!
WHERE c.id IS NOT NULL OR q.queue_name IS NOT NULL;
