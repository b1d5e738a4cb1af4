/* @name recordHeartbeat */
-- :status null = healthy; :metadata null = as before; :queues that the key may touch, null = all.
UPDATE workers SET
  current_jobs = :currentJobs!,
  status = CASE
    WHEN status = 'draining' AND coalesce(:status::text, 'healthy') = 'healthy' THEN 'draining'
    ELSE coalesce(:status::text, 'healthy')
  END,
  metadata = coalesce(:metadata::jsonb, metadata),
  last_heartbeat = now(),
  updated_at = now()
WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
RETURNING status;
