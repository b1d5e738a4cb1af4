/* @name listParents */
-- The parents of a job, oldest edge first, at most 1,000. Deleted jobs are omitted, because they block nothing.
-- Relies on the primary key of job_dependencies.
WITH edges AS MATERIALIZED (
  SELECT depends_on_job_id, created_at FROM job_dependencies
  WHERE organization_id = :organizationId! AND job_id = :id!
  ORDER BY created_at, depends_on_job_id
  LIMIT 1000
)
SELECT r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
FROM edges
JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT depends_on_job_id FROM edges), NULL) r ON r.id = edges.depends_on_job_id
ORDER BY edges.created_at, r.id;
