-- One worker.
-- $1 organization, $2 worker, $3 queues that the caller may see (null = all).
SELECT
  id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata,
  version, registered_at, updated_at
FROM workers
WHERE organization_id = $1 AND id = $2 AND ($3::text[] IS NULL OR queue_name = ANY ($3))
