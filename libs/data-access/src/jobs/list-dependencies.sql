-- The jobs that a job waits for (direction 'up') and those that wait for it ('down'), oldest edge first. Jobs whose record
-- is gone are left out.
-- $1 organization, $2 job.
-- Relies on the primary key of job_dependencies, job_dependencies_parent and the primary key of jobs.
SELECT edge.direction, r.id AS job_id, r.queue_name, r.status
FROM (
  SELECT 'up' AS direction, depends_on_job_id AS other, created_at
  FROM job_dependencies WHERE organization_id = $1 AND job_id = $2
  UNION ALL
  SELECT 'down', job_id, created_at
  FROM job_dependencies WHERE organization_id = $1 AND depends_on_job_id = $2
) edge
JOIN job_records r ON r.id = edge.other AND r.organization_id = $1
ORDER BY edge.direction, edge.created_at, r.id
