/* @name listDependencies */
-- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.
-- Relies on the primary key of job_dependencies, job_dependencies_parent and the primary key of jobs.
SELECT edge.direction AS "direction!", r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
FROM (
  SELECT 'up' AS direction, depends_on_job_id AS other, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!
  UNION ALL
  SELECT 'down', job_id, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!
) edge
JOIN job_records r ON r.id = edge.other AND r.organization_id = :organizationId!
ORDER BY edge.direction, edge.created_at, r.id;
