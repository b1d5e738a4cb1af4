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

/* @name resumeWorker */
-- Ends the drain of a worker; call with the organization's workers locked. An offline one stays offline. No row: it is unknown.
-- `resumed` false: it was not told to drain, or was refused by the cap (`refused`), with `alive` other workers.
-- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.
WITH others AS (
  SELECT count(*) AS n FROM workers
  WHERE organization_id = :organizationId! AND id <> :id! AND status IN ('healthy', 'degraded')
), before AS (
  SELECT id, status, drain_requested_at IS NOT NULL AS was_drained,
    status = 'draining' AND :maxWorkers::integer IS NOT NULL AND others.n >= :maxWorkers AS is_refused
  FROM workers CROSS JOIN others
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
), resumed AS (
  UPDATE workers w SET status = CASE WHEN w.status = 'draining' THEN 'healthy' ELSE w.status END, drain_requested_at = NULL,
    updated_at = current_ts()
  FROM before b
  WHERE w.organization_id = :organizationId! AND w.id = b.id AND b.was_drained AND NOT b.is_refused
  RETURNING w.status
)
SELECT (SELECT status FROM resumed) AS "status?", b.status AS "status_before!", b.was_drained AND b.is_refused AS "refused!",
  others.n AS "alive!", current_ts() AS "now!"
FROM before b CROSS JOIN others;
