/* @name listDependencies */
-- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.
-- Relies on the primary key of job_dependencies and job_dependencies_parent.
WITH edges AS MATERIALIZED (
  SELECT 'up' AS direction, depends_on_job_id AS other, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!
  UNION ALL
  SELECT 'down', job_id, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!
)
SELECT e.direction AS "direction!", r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
FROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), NULL) r ON r.id = e.other
ORDER BY e.direction, e.created_at, r.id;
