/* @name listWorkers */
-- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat
-- arrives between them.
-- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.
-- Relies on workers_organization, or on the primary key.
SELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat
FROM workers
WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  AND (:afterId::text IS NULL OR id > :afterId)
ORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id
LIMIT :limit! OFFSET :offset!;
