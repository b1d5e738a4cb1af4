-- Registers a worker unless the plan's cap is full; registering an own id again is free. id null: refused, because the id is that of
-- a worker outside the key's queues (taken), or else by the cap.
-- $1 organization, $2 id, $3 queue, $4 hostname, $5 type, $6 max concurrency, $7 metadata, $8 version, $9 cap or null,
-- $10 queues that the key may touch (null = all).
WITH alive AS (
  SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded')) AS n,
    coalesce(bool_or(id = $2), false) AS known,
    coalesce(bool_or(id = $2 AND queue_name <> ALL ($10::text[])), false) AS taken
  FROM workers WHERE organization_id = $1
), registered AS (
  INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)
  SELECT $2, $1, $3, $4, $5, $6, $7::jsonb, $8 FROM alive
  WHERE NOT alive.taken AND (alive.known OR $9::integer IS NULL OR alive.n < $9)
  ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,
    worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,
    version = excluded.version, status = 'healthy', last_heartbeat = now(), updated_at = now()
  RETURNING id
)
SELECT (SELECT id FROM registered) AS id, alive.n AS alive, alive.taken FROM alive
