/* @name countWorkers */
-- The organization's workers that are not offline.
-- :queues null = all.
SELECT
  count(*) AS "total!",
  count(*) FILTER (WHERE status = 'healthy') AS "healthy!",
  count(*) FILTER (WHERE status <> 'healthy') AS "unhealthy!"
FROM workers
WHERE organization_id = :organizationId! AND status <> 'offline' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
