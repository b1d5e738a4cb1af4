-- $1 organization, $2 worker, $3 current jobs, $4 status or null, $5 metadata or null, $6 queues that the key may touch (null = all).
UPDATE workers SET
  current_jobs = $3,
  status = CASE
    WHEN status = 'draining' AND coalesce($4, 'healthy') = 'healthy' THEN 'draining'
    ELSE coalesce($4, 'healthy')
  END,
  metadata = coalesce($5::jsonb, metadata),
  last_heartbeat = now(),
  updated_at = now()
WHERE organization_id = $1 AND id = $2 AND ($6::text[] IS NULL OR queue_name = ANY ($6))
RETURNING status
