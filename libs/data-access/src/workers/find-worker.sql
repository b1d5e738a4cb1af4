/* @name findWorker */
-- One worker.
-- :queues that the caller may access, null = all.
SELECT
  id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS "metadata!",
  version, registered_at, updated_at
FROM workers
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
