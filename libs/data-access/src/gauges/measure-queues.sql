/* @name measureQueues */
-- The queues of each organization with the most waiting jobs, for autoscaling.
-- :perOrganization, :total bound the number of rows.
-- Scans job_queue once, which contains only live jobs.
WITH counted AS (
  SELECT organization_id, queue_name,
    count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,
    count(*) FILTER (WHERE state = 'leased') AS processing,
    min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest
  FROM job_queue GROUP BY organization_id, queue_name
), ranked AS (
  SELECT c.*, row_number() OVER (PARTITION BY organization_id ORDER BY pending DESC, queue_name) AS place FROM counted c
)
SELECT
  organization_id AS "organization!", queue_name AS "queue!", pending AS "pending!", processing AS "processing!",
  coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0)::double precision AS "max_age_seconds!"
FROM ranked WHERE place <= :perOrganization!::int
ORDER BY pending DESC, organization_id, queue_name LIMIT :total!::int;
