/* @name listParents */
-- The parents of a job, oldest edge first, at most :limit. Deleted jobs are omitted, because they block nothing.
-- Relies on the primary keys of job_dependencies, jobs and job_queue.
WITH edges AS MATERIALIZED (
  SELECT depends_on_job_id, created_at FROM job_dependencies
  WHERE organization_id = :organizationId! AND job_id = :id!
  ORDER BY created_at, depends_on_job_id
  LIMIT :limit!
)
SELECT r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
FROM edges JOIN job_records r ON r.id = edges.depends_on_job_id AND r.organization_id = :organizationId!
ORDER BY edges.created_at, r.id;
