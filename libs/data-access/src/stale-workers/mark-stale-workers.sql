/* @name markStaleWorkers */
-- Marks workers without recent heartbeats as degraded, later as offline. A draining worker stays draining until it is offline.
-- Index: workers_alive. The rows are updated by their addresses: by their keys, all workers of an organization may be read for each
-- (40,000 index entries for 40 workers), where the planner has no statistics of the table yet.
WITH stale AS MATERIALIZED (
  SELECT ctid AS address, last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!) AS is_offline
  FROM workers
  WHERE status <> 'offline' AND last_heartbeat < current_ts() - make_interval(secs => :degradedSeconds!)
    AND (status = 'healthy' OR last_heartbeat < current_ts() - make_interval(secs => :offlineSeconds!))
  ORDER BY last_heartbeat LIMIT :limit! FOR UPDATE SKIP LOCKED
)
UPDATE workers w
SET status = CASE WHEN s.is_offline THEN 'offline' ELSE 'degraded' END, current_jobs = CASE WHEN s.is_offline THEN 0 ELSE w.current_jobs END,
  updated_at = current_ts()
FROM stale s WHERE w.ctid = s.address
RETURNING w.id, w.organization_id AS "organizationId", w.status, current_ts() AS "markedAt!";
