-- The organization's workers that are not offline.
-- $1 organization, $2 queues (null = all).
SELECT
  count(*) AS total,
  count(*) FILTER (WHERE status = 'healthy') AS healthy,
  count(*) FILTER (WHERE status <> 'healthy') AS unhealthy
FROM workers
WHERE organization_id = $1 AND status <> 'offline' AND ($2::text[] IS NULL OR queue_name = ANY ($2))
