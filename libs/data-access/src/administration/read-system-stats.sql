/* @name readSystemStats */
-- Statistics of the whole system, across all tenants, so as spooled_system. Live rows are counted; finished jobs come from the
-- hourly counters, the oldest hour of the last 24 weighted by its share. Days and weeks begin at midnight UTC.
-- Scans job_queue and job_stats (1 million live jobs: about 0.1 s), so it is not for frequent calls.
WITH organization AS (
  SELECT
    plan_tier,
    count(*) AS total,
    count(*) FILTER (WHERE created_at >= date_trunc('day', current_ts(), 'UTC')) AS today,
    count(*) FILTER (WHERE created_at >= date_trunc('week', current_ts(), 'UTC')) AS this_week
  FROM organizations
  GROUP BY plan_tier
), live AS (
  SELECT
    count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,
    count(*) FILTER (WHERE state = 'scheduled') AS scheduled,
    count(*) FILTER (WHERE state = 'leased') AS processing
  FROM job_queue
), ended AS (
  SELECT
    coalesce(sum(created), 0)::bigint AS created,
    coalesce(sum(completed), 0)::bigint AS completed,
    coalesce(sum(deadlettered), 0)::bigint AS deadlettered,
    coalesce(sum(cancelled), 0)::bigint AS cancelled,
    coalesce(round(sum(wait_ms) / nullif(sum(completed), 0)), 0)::bigint AS avg_wait_ms,
    coalesce(round(sum(run_ms) / nullif(sum(completed), 0)), 0)::bigint AS avg_run_ms,
    coalesce(round(sum(completed * within_day)), 0)::bigint AS completed_24h,
    coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS failed_24h
  FROM (
    SELECT *, least(1, greatest(0, extract(epoch FROM hour + interval '25 hours' - current_ts()) / 3600)) AS within_day FROM job_stats
  ) AS counters
), worker_counts AS (
  SELECT
    count(*) FILTER (WHERE status <> 'offline') AS total,
    count(*) FILTER (WHERE status = 'healthy') AS healthy,
    count(*) FILTER (WHERE status = 'degraded') AS degraded,
    count(*) FILTER (WHERE status <> 'offline' AND current_jobs = 0) AS idle
  FROM workers
)
SELECT
  (SELECT coalesce(jsonb_object_agg(plan_tier, total), '{}') FROM organization) AS "organizations_by_plan!",
  (SELECT coalesce(sum(today), 0)::bigint FROM organization) AS "organizations_today!",
  (SELECT coalesce(sum(this_week), 0)::bigint FROM organization) AS "organizations_this_week!",
  live.pending AS "pending!", live.scheduled AS "scheduled!", live.processing AS "processing!",
  ended.created AS "created!", ended.completed AS "completed!", ended.deadlettered AS "deadlettered!", ended.cancelled AS "cancelled!",
  ended.avg_wait_ms AS "avg_wait_ms!", ended.avg_run_ms AS "avg_run_ms!", ended.completed_24h AS "completed_24h!",
    ended.failed_24h AS "failed_24h!",
  (SELECT count(*) FROM dead_letters) AS "dead_letters!",
  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
  worker_counts.total AS "workers!", worker_counts.healthy AS "workers_healthy!", worker_counts.degraded AS "workers_degraded!", worker_counts.idle AS "workers_idle!",
  (
    SELECT count(*)
    FROM (
      SELECT organization_id, queue_name FROM queues UNION SELECT organization_id, queue_name FROM queue_config
    ) AS named
  ) AS "queues!",
  (SELECT count(*) FROM queue_config WHERE NOT enabled) AS "queues_paused!",
  (SELECT count(*) FROM api_keys WHERE is_active AND key_prefix <> 'sign-in') AS "api_keys!"
FROM live, ended, worker_counts;
