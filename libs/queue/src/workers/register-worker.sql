/* @name lockWorkers */
-- Registrations of an organization wait for each other until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('workers:' || :organizationId!::text, 0)) AS done;

/* @name registerWorker */
-- Registers a worker unless the plan's cap is full; registering an id again is free while that worker counts already. `id` null:
-- refused, because the id is that of a worker outside the key's queues (taken), or else by the cap.
-- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.
WITH alive AS (
  SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded') AND id <> :id!) AS others,
    coalesce(bool_or(id = :id! AND status IN ('healthy', 'degraded')), false) AS counted,
    coalesce(bool_or(id = :id! AND queue_name <> ALL (:queues::text[])), false) AS taken
  FROM workers WHERE organization_id = :organizationId!
), registered AS (
  INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)
  SELECT :id!, :organizationId!, :queueName!, :hostname!, :workerType, :maxConcurrency!, :metadata!::jsonb, :version FROM alive
  WHERE NOT alive.taken AND (alive.counted OR :maxWorkers::integer IS NULL OR alive.others < :maxWorkers)
  ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,
    worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,
    version = excluded.version, status = 'healthy', drain_requested_at = NULL,
    last_heartbeat = current_ts(), updated_at = current_ts()
  RETURNING id
)
SELECT (SELECT id FROM registered) AS id, alive.others AS "alive!", alive.taken AS "taken!", current_ts() AS "now!" FROM alive;
