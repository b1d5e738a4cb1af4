/* @name listWorkers */
-- The organization's workers, the latest heartbeat first.
-- :queues that the caller may access, null = all.
-- Relies on workers_organization.
SELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat
FROM workers
WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
ORDER BY last_heartbeat DESC, id
LIMIT 100;
