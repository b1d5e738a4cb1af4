/* @name markStaleWorkers */
-- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.
-- Index: workers_alive.
WITH stale AS MATERIALIZED (
  SELECT organization_id, id, last_heartbeat < now() - make_interval(secs => :offlineSeconds!) AS is_offline
  FROM workers
  WHERE status <> 'offline' AND last_heartbeat < now() - make_interval(secs => :degradedSeconds!)
    AND (status = 'healthy' OR last_heartbeat < now() - make_interval(secs => :offlineSeconds!))
  ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED
)
UPDATE workers w
SET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,
  updated_at = now()
FROM stale s WHERE w.organization_id = s.organization_id AND w.id = s.id
RETURNING w.id, w.organization_id, w.status, now() AS "marked_at!";
