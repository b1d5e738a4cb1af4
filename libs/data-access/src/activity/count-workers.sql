/* @name countWorkers */
-- The organization's workers; those that are offline count as unhealthy, until retention deletes them.
-- :queues null = all.
SELECT
  count(*) AS "total!",
  count(*) FILTER (WHERE status = 'healthy') AS "healthy!",
  count(*) FILTER (WHERE status <> 'healthy') AS "unhealthy!",
  count(*) FILTER (WHERE status = 'offline') AS "offline!"
FROM workers
WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
