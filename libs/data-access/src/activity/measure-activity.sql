/* @name measureActivity */
-- Recent activity of an organization from the hourly counters; the oldest hour of a period is weighted by its share within it.
-- :queues null = all.
-- Relies on job_stats primary key.
WITH recent AS (
  SELECT s.created, s.completed, s.deadlettered, s.wait_ms, s.run_ms,
    least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - now()) / 3600)) AS within_hour,
    least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS within_day
  FROM job_stats s
  WHERE s.organization_id = :organizationId! AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))
    AND s.hour > now() - interval '25 hours'
)
SELECT
  coalesce(round(sum(created * within_hour)), 0)::bigint AS "created_1h!",
  coalesce(round(sum(completed * within_hour)), 0)::bigint AS "completed_1h!",
  coalesce(round(sum(deadlettered * within_hour)), 0)::bigint AS "failed_1h!",
  coalesce(round(sum(completed * within_day)), 0)::bigint AS "completed_24h!",
  coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS "failed_24h!",
  (sum(wait_ms) / nullif(sum(completed), 0))::double precision AS avg_wait_ms,
  (sum(run_ms) / nullif(sum(completed), 0))::double precision AS avg_run_ms
FROM recent;
