/* @name listRelatives */
-- Parents (direction 'up') and children ('down') of a job, oldest edge first, at most :limit of each, with the number of all of them in
-- :queues (null = all), counted up to :most.
-- Relies on the primary key of job_dependencies, job_dependencies_parent and the primary key of jobs.
WITH edges AS MATERIALIZED (
  (SELECT 'up' AS direction, depends_on_job_id AS other, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id! LIMIT :most!)
  UNION ALL
  (SELECT 'down', job_id, created_at
  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id! LIMIT :most!)
), visible AS (
  SELECT e.direction, r.id, r.queue_name, r.status, count(*) OVER side AS total,
    row_number() OVER (side ORDER BY e.created_at, r.id) AS number
  FROM edges e JOIN job_records r ON r.id = e.other AND r.organization_id = :organizationId!
  WHERE :queues::text[] IS NULL OR r.queue_name = ANY (:queues)
  WINDOW side AS (PARTITION BY e.direction)
)
SELECT direction AS "direction!", id AS "job_id!", queue_name AS "queue_name!", status::job_status AS "status!", total AS "total!"
FROM visible WHERE number <= :limit! ORDER BY direction, number;
