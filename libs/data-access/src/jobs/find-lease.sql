-- Who holds a job right now, if anybody.
-- $1 organization, $2 job, $3 queues that the caller may see (null = all).
-- Relies on the primary key of job_queue.
SELECT worker_id, lease_id, lease_expires_at > now() AS held
FROM job_queue
WHERE organization_id = $1 AND job_id = $2 AND state = 'leased' AND ($3::text[] IS NULL OR queue_name = ANY ($3))
