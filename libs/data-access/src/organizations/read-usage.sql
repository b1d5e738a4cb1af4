/* @name readUsage */
-- Usage of each limited resource by the current organization, from live rows and counters, never from job history.
-- A queue counts when it is configured, was created by a job, or is the target of an active schedule.
SELECT
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
  (SELECT count(*) FROM job_queue) AS "active_jobs!",
  (
    SELECT count(*)
    FROM (
      SELECT queue_name FROM queue_config
      UNION SELECT queue_name FROM queues
      UNION SELECT queue_name FROM schedules WHERE is_active
    ) AS named
  ) AS "queues!",
  (SELECT count(*) FROM workers WHERE status IN ('healthy', 'degraded')) AS "workers!",
  (SELECT count(*) FROM api_keys WHERE is_active AND key_prefix <> 'sign-in') AS "api_keys!",
  (SELECT count(*) FROM schedules WHERE is_active) AS "schedules!",
  (SELECT count(*) FROM workflows) AS "workflows!",
  (SELECT count(*) FROM batches WHERE status = 'open') AS "open_batches!",
  (SELECT count(*) FROM outgoing_webhooks WHERE enabled) AS "webhooks!";
