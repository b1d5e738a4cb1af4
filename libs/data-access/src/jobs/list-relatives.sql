/* @name listRelatives */
-- Parents (direction 'up') and children ('down') of a job, oldest edge first, at most :limit of each, with the number of all of them in
-- :queues (null = all), counted up to 10,000.
-- Relies on the primary key of job_dependencies and job_dependencies_parent.
WITH edges AS MATERIALIZED (
  (SELECT 'up' AS direction, depends_on_job_id AS other, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id! LIMIT 10000)
  UNION ALL
  (SELECT 'down', job_id, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id! LIMIT 10000)
), visible AS (
  SELECT e.direction, r.id, r.queue_name, r.status, count(*) OVER side AS total,
    row_number() OVER (side ORDER BY e.created_at, r.id) AS number
  FROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), :queues) r ON r.id = e.other
  WINDOW side AS (PARTITION BY e.direction)
)
SELECT direction AS "direction!", id AS "job_id!", queue_name AS "queue_name!", status::job_status AS "status!", total AS "total!"
FROM visible WHERE number <= :limit! ORDER BY direction, number;
