-- The organization's queues by name: configured ones and those that exist because jobs named them.
-- $1 organization, $2 queues that the caller may see (null = all), $3 default retries, $4 default timeout in seconds.
SELECT
  queue_name, coalesce(c.max_retries, $3::integer) AS max_retries, coalesce(c.default_timeout, $4::integer) AS default_timeout,
  c.rate_limit, coalesce(c.enabled, true) AS enabled
FROM (SELECT * FROM queues WHERE organization_id = $1) q
FULL JOIN (SELECT * FROM queue_config WHERE organization_id = $1) c USING (queue_name)
WHERE $2::text[] IS NULL OR queue_name = ANY ($2)
ORDER BY queue_name
LIMIT 100
