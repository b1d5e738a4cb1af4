/* @name deleteOfflineWorkers */
-- Deletes workers that have been offline for longer than the retention period.
-- :days retention period of each of :organizationIds.
-- Index: workers_organization.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT w.organization_id, w.id FROM horizon h CROSS JOIN LATERAL (
    SELECT organization_id, id FROM workers
    WHERE organization_id = h.org AND status = 'offline' AND last_heartbeat < h.oldest AND updated_at < h.oldest
    LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) w LIMIT :limit!
), removed AS (
  DELETE FROM workers w USING old WHERE w.organization_id = old.organization_id AND w.id = old.id AND w.status = 'offline'
  RETURNING w.id
)
SELECT count(*) AS "deleted!" FROM removed;
