-- Registers a worker unless the plan's cap is full; registering an own id again is free.
-- $1 organization, $2 id, $3 queue, $4 hostname, $5 type, $6 max concurrency, $7 metadata, $8 version, $9 cap or null.
-- id null: refused, by the cap when alive >= cap, else because another organization owns the id (its row is not visible here,
-- so the insert can only do nothing).
WITH alive AS (
  SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded')) AS n,
    coalesce(bool_or(id = $2), false) AS known
  FROM workers WHERE organization_id = $1
), again AS (
  UPDATE workers SET queue_name = $3, hostname = $4, worker_type = $5, max_concurrency = $6, metadata = $7::jsonb, version = $8,
    status = 'healthy', last_heartbeat = now(), updated_at = now()
  WHERE organization_id = $1 AND id = $2
  RETURNING id
), fresh AS (
  INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)
  SELECT $2, $1, $3, $4, $5, $6, $7::jsonb, $8 FROM alive
  WHERE NOT alive.known AND ($9::integer IS NULL OR alive.n < $9)
  ON CONFLICT (id) DO NOTHING
  RETURNING id
)
SELECT coalesce((SELECT id FROM again), (SELECT id FROM fresh)) AS id, alive.n AS alive FROM alive
