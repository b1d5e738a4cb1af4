/* @name measureThroughput */
-- What a queue did in the last hour, and how long its jobs ran in the last 24, from the hourly counters. The oldest hour is weighted by its
-- share of the period.
-- Relies on the primary key of job_stats.
SELECT
  coalesce(round(sum(s.created * w.share)), 0)::bigint AS "created!",
  coalesce(round(sum(s.completed * w.share)), 0)::bigint AS "completed!",
  coalesce(round(sum(s.retried * w.share)), 0)::bigint AS "retried!",
  coalesce(round(sum(s.deadlettered * w.share)), 0)::bigint AS "deadlettered!",
  round(sum(s.run_ms) / nullif(sum(s.completed), 0))::bigint AS average_run_ms
FROM job_stats s
CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - current_ts()) / 3600)) AS share) w
WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours';
