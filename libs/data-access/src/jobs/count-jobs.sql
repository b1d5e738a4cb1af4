/* @name countJobs */
-- Number of jobs in each status. Live jobs are counted in job_queue, each state by its partial index; finished jobs come from
-- counters.
-- :queues null = all. Queues whose jobs are being deleted are left out until those are gone.
SELECT
  (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'
      AND dependencies_met)
  + (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'
      AND NOT dependencies_met)
  + waiting.retrying AS "pending!",
  waiting.scheduled AS "scheduled!",
  (SELECT count(*) FROM job_queue
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
      AND state = 'leased') AS "processing!",
  finished.completed AS "completed!",
  0::bigint AS "failed!",
  (SELECT count(*) FROM dead_letters
    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))) AS "deadletter!",
  finished.cancelled AS "cancelled!"
FROM (
  SELECT
    count(*) FILTER (WHERE state = 'retrying') AS retrying,
    count(*) FILTER (WHERE state = 'scheduled') AS scheduled
  FROM job_queue
  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state IN ('scheduled',
    'retrying')
) waiting,
(
  SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled
  FROM job_stats
  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
) finished;
