/* @name listQueues */
-- The organization's queues by name: configured queues and queues that were created by jobs.
-- :queues that the caller may access, null = all; :afterName the last name of the previous page, null = the first page.
SELECT
  queue_name AS "queue_name!", coalesce(c.max_retries, :defaultRetries!::integer) AS "max_retries!",
  coalesce(c.default_timeout, :defaultTimeout!::integer) AS "default_timeout!",
  c.rate_limit, coalesce(c.enabled, true) AS "enabled!"
FROM (SELECT * FROM queues WHERE organization_id = :organizationId!) q
FULL JOIN (SELECT * FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)
WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:afterName::text IS NULL OR queue_name > :afterName)
ORDER BY queue_name
LIMIT :limit! OFFSET :offset!;
