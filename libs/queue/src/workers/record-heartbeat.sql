/* @name recordHeartbeat */
-- A heartbeat that does not make the worker count against the plan's cap again; otherwise no row, as for an unknown worker.
-- `draining` lasts until the worker registers again, or says that it is offline. A worker that was marked degraded for missed
-- heartbeats (its row was updated after the last one) is healthy again.
-- :status null = as before; :metadata null = as before; :queues that the key may touch, null = all.
UPDATE workers SET
  current_jobs = :currentJobs!,
  status = CASE
    WHEN status = 'draining' AND coalesce(:status::text, '') <> 'offline' THEN 'draining'
    WHEN :status::text IS NULL AND status = 'degraded' AND updated_at > last_heartbeat THEN 'healthy'
    ELSE coalesce(:status::text, status)
  END,
  metadata = coalesce(:metadata::jsonb, metadata),
  last_heartbeat = current_ts(),
  updated_at = current_ts()
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  AND (status <> 'offline' OR :status::text IN ('offline', 'draining'))
RETURNING status, last_heartbeat AS now;

/* @name reactivateWorker */
-- A heartbeat that brings an offline worker back, unless the plan's cap is full; call with the organization's workers locked.
-- `status` null: it is unknown (`known` false), or was refused by the cap, with `alive` other workers.
-- A drained worker stays draining after it reconnects.
-- :status null = healthy; :maxWorkers the cap, null = none; others as above.
WITH others AS (
  SELECT count(*) AS n FROM workers
  WHERE organization_id = :organizationId! AND id <> :id! AND status IN ('healthy', 'degraded')
), reactivated AS (
  UPDATE workers SET current_jobs = :currentJobs!,
    status = CASE WHEN drain_requested_at IS NULL THEN coalesce(:status::text, 'healthy') ELSE 'draining' END,
    metadata = coalesce(:metadata::jsonb, metadata), last_heartbeat = current_ts(), updated_at = current_ts()
  FROM others
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
    AND (:maxWorkers::integer IS NULL OR others.n < :maxWorkers)
  RETURNING status
)
SELECT (SELECT status FROM reactivated) AS "status?", others.n AS "alive!",
  EXISTS (
    SELECT FROM workers
    WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  ) AS "known!", current_ts() AS "now!"
FROM others;
