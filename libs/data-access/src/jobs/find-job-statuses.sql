-- The statuses of some jobs, in the order in which they were asked for; unknown ones are left out.
-- $1 organization, $2 jobs, $3 queues that the caller may see (null = all).
-- Relies on the primary key of jobs.
SELECT id, status, queue_name, retry_count, created_at, completed_at
FROM job_records
WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND ($3::text[] IS NULL OR queue_name = ANY ($3))
ORDER BY array_position($2::uuid[], id)
