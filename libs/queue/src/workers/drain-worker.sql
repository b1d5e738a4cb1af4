/* @name drainWorker */
-- Tells a worker to drain until it registers again; no row for an unknown one. An offline worker stays as it is.
-- :queues that the key may touch, null = all.
WITH before AS (
  SELECT id, status, status = 'draining' AND drain_requested_at IS NOT NULL AS was_drained FROM workers
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  FOR NO KEY UPDATE
), drained AS (
  UPDATE workers w SET status = 'draining', drain_requested_at = current_ts(), updated_at = current_ts()
  FROM before b
  WHERE w.organization_id = :organizationId! AND w.id = b.id AND b.status <> 'offline' AND NOT b.was_drained
)
SELECT status AS "status!", was_drained AS "was_drained!", current_ts() AS "now!" FROM before;
