-- The organization's workers, the one that was heard of last first.
-- $1 organization, $2 queues that the caller may see (null = all).
-- Relies on workers_organization.
SELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat
FROM workers
WHERE organization_id = $1 AND ($2::text[] IS NULL OR queue_name = ANY ($2))
ORDER BY last_heartbeat DESC, id
LIMIT 100
