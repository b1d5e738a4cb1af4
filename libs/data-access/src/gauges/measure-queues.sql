/* @name measureQueues */
-- The queues of each organization with the most waiting jobs, for autoscaling, after a row without names for all queues together.
-- Without what no worker will get: queues whose jobs are being deleted, and organizations that are deleted and keep their data.
-- :perOrganization, :total bound the number of rows of queues.
WITH counted AS (
  SELECT organization_id, queue_name, sum(pending)::bigint AS pending, sum(processing)::bigint AS processing, min(oldest) AS oldest
  FROM count_live_jobs_v1(false) AS l
  WHERE NOT EXISTS (
      SELECT FROM queue_deletions d
      WHERE d.organization_id = l.organization_id AND d.queue_name = l.queue_name AND d.has_live_jobs)
    AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = l.organization_id AND o.plan_tier = 'deleted')
  GROUP BY GROUPING SETS ((organization_id, queue_name), ())
), ranked AS (
  SELECT c.*, row_number() OVER (PARTITION BY organization_id ORDER BY pending DESC, queue_name) AS place FROM counted c
)
SELECT
  organization_id AS "organization?", queue_name AS "queue?", coalesce(pending, 0) AS "pending!", coalesce(processing, 0) AS "processing!",
  coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0)::double precision AS "max_age_seconds!"
FROM ranked WHERE organization_id IS NULL OR place <= :perOrganization!::int
ORDER BY organization_id IS NULL DESC, pending DESC, organization_id, queue_name LIMIT :total!::int + 1;
