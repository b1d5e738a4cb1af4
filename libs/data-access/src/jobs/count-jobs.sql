/* @name countJobs */
-- How many jobs are in each status. Live ones are counted in the narrow table, each part by the partial index that holds just
-- these rows; finished ones come from counters, never from history.
-- :queues null = all.
SELECT
  (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'
      AND dependencies_met)
  + (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'
      AND NOT dependencies_met)
  + waiting.retrying AS "pending!",
  waiting.scheduled AS "scheduled!",
  (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
      AND state = 'leased') AS "processing!",
  finished.completed AS "completed!",
  0::bigint AS "failed!",
  (SELECT count(*) FROM dead_letters
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))) AS "deadletter!",
  finished.cancelled AS "cancelled!"
FROM (
  SELECT
    count(*) FILTER (WHERE state = 'retrying') AS retrying,
    count(*) FILTER (WHERE state = 'scheduled') AS scheduled
  FROM job_queue
  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state IN ('scheduled',
    'retrying')
) waiting,
(
  SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled
  FROM job_stats
  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
) finished;
