/* @name deregisterWorker */
-- Marks a worker offline; none when it is unknown. Its leases run on: with an id of its own choice, a successor process may hold jobs
-- under the same id already.
-- :queues that the key may touch, null = all; :issuedAt the moment of the request, or null: a worker that has registered or sent a
-- heartbeat since then stays as it is.
UPDATE workers SET
  status = CASE WHEN last_heartbeat > :issuedAt::timestamptz THEN status ELSE 'offline' END,
  current_jobs = CASE WHEN last_heartbeat > :issuedAt THEN current_jobs ELSE 0 END,
  updated_at = current_ts()
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
RETURNING queue_name, current_ts() AS "now!";
