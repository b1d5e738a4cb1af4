/* @name listBusiestQueues */
-- The queues with the most live jobs, then the others by name.
-- :queues null = all.
-- Relies on the partial indexes of job_queue, one per state.
WITH live AS (
  SELECT queue_name, 1 AS pending, 0 AS processing FROM job_queue
  WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met
  UNION ALL
  SELECT queue_name, 1, 0 FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
  UNION ALL
  SELECT queue_name, 1, 0 FROM job_queue
  WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') AND state = 'retrying'
  UNION ALL
  SELECT queue_name, 0, 1 FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased'
), counted AS (
  SELECT queue_name, sum(pending) AS pending, sum(processing) AS processing FROM live
  WHERE queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
  GROUP BY queue_name
)
SELECT
  queue_name AS "name!", coalesce(l.pending, 0)::bigint AS "pending!", coalesce(l.processing, 0)::bigint AS "processing!",
  NOT coalesce(c.enabled, true) AS "paused!"
FROM (SELECT queue_name FROM queues WHERE organization_id = :organizationId!) q
FULL JOIN (SELECT queue_name, enabled FROM queue_config WHERE organization_id = :organizationId!) c USING (queue_name)
LEFT JOIN counted l USING (queue_name)
WHERE :queues::text[] IS NULL OR queue_name = ANY (:queues)
ORDER BY coalesce(l.pending, 0) + coalesce(l.processing, 0) DESC, queue_name
LIMIT 20;
