-- A queue's settings; one that exists only because jobs named it answers with the defaults.
-- $1 organization, $2 queue, $3 default retries, $4 default timeout in seconds.
SELECT
  coalesce(c.id::text, 'implicit:' || q.queue_name) AS id, $1::uuid AS organization_id, $2::text AS queue_name,
  coalesce(c.max_retries, $3::integer) AS max_retries, coalesce(c.default_timeout, $4::integer) AS default_timeout, c.rate_limit,
  coalesce(c.enabled, true) AS enabled, coalesce(c.settings, '{"implicit": true}') AS settings,
  coalesce(c.created_at, q.first_seen) AS created_at, coalesce(c.updated_at, q.first_seen) AS updated_at
FROM (SELECT) AS one
LEFT JOIN queue_config c ON c.organization_id = $1 AND c.queue_name = $2
LEFT JOIN queues q ON q.organization_id = $1 AND q.queue_name = $2
WHERE c.id IS NOT NULL OR q.queue_name IS NOT NULL
