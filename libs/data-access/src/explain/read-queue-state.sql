/* @name readQueueState */
-- What decides whether a queue moves: its settings, jobs and workers. Each count stops after :most entries of its index, so that a long queue costs no more than that.
-- Of a queue whose jobs are being deleted none are counted until those are gone.
-- Each part is ordered as only the index of the tenant and the queue is, because the indexes that serve all tenants (job_queue_due,
-- job_queue_lease) would read the rows of the others; an array keeps the name of the queue in that order.
-- Relies on the partial indexes of job_queue, one for each state; workers_organization.
WITH RECURSIVE deletion AS MATERIALIZED (
  SELECT deleted_until FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs
), heads AS (
  -- The oldest claimable job of each priority (there are 201), because the index of claims begins with the priority.
  (
    SELECT priority, created_at, coalesce(due_at, created_at) AS claimable_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
      AND NOT EXISTS (SELECT FROM deletion)
    ORDER BY priority DESC, created_at LIMIT 1
  )
  UNION ALL
  SELECT next.priority, next.created_at, next.claimable_at FROM heads CROSS JOIN LATERAL (
    SELECT q.priority, q.created_at, coalesce(q.due_at, q.created_at) AS claimable_at FROM job_queue q
    WHERE q.organization_id = :organizationId! AND q.queue_name = :queueName! AND q.state = 'ready' AND q.dependencies_met
      AND q.priority < heads.priority
    ORDER BY q.priority DESC, q.created_at LIMIT 1
  ) AS next
), ready AS (
  SELECT count(*) AS jobs FROM (
    SELECT FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
      AND NOT EXISTS (SELECT FROM deletion)
    LIMIT :most!
  ) AS counted
), blocked AS (
  SELECT count(*) AS jobs FROM (
    SELECT FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met AND NOT EXISTS (SELECT FROM deletion)
    LIMIT :most!
  ) AS counted
), waiting AS (
  SELECT count(*) FILTER (WHERE state = 'scheduled') AS scheduled, count(*) FILTER (WHERE state = 'retrying') AS retrying,
    count(*) FILTER (WHERE due_at <= current_ts()) AS due, min(due_at) AS next_at
  FROM (
    SELECT state, due_at, dependencies_met FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = ANY (ARRAY[:queueName!]) AND state IN ('scheduled', 'retrying')
      AND NOT EXISTS (SELECT FROM deletion)
    ORDER BY queue_name, due_at LIMIT :most!
  ) AS counted
  -- Outside, so that blocked jobs count against the bound.
  WHERE dependencies_met
), leased AS (
  SELECT count(*) AS jobs, count(*) FILTER (WHERE lease_expires_at > current_ts()) AS unexpired, max(started_at) AS last_started_at
  FROM (
    SELECT lease_expires_at, started_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased' AND NOT EXISTS (SELECT FROM deletion)
    ORDER BY worker_id LIMIT :most!
  ) AS counted
), listeners AS (
  SELECT count(*) FILTER (WHERE status = 'healthy') AS healthy, count(*) FILTER (WHERE status = 'degraded') AS degraded,
    count(*) FILTER (WHERE status = 'draining') AS draining, count(*) FILTER (WHERE status = 'offline') AS offline,
    max(last_heartbeat) AS last_heartbeat
  FROM (
    SELECT status, last_heartbeat FROM workers
    WHERE organization_id = :organizationId! AND queue_name = :queueName! ORDER BY last_heartbeat DESC LIMIT :most!
  ) AS counted
)
SELECT
  (c.id IS NOT NULL OR EXISTS (
    SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)) AS "is_known!",
  coalesce(c.enabled, true) AS "enabled!", c.settings ->> 'paused_at' AS "paused_at?",
  left(c.settings ->> 'paused_reason', 500) AS "paused_reason?", c.pause_expires_at AS "pause_expires_at?", c.paused_by AS "paused_by?",
  c.rate_limit AS "rate_limit?",
  coalesce(c.default_timeout, :defaultTimeout!::integer) AS "timeout_seconds!",
  coalesce(jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true', false) AS "is_push!",
  (SELECT deleted_until FROM deletion) AS "deleted_until?",
  queue_concurrency_v1(c.settings) AS "concurrency?",
  ready.jobs AS "ready!", blocked.jobs AS "blocked!", waiting.scheduled AS "scheduled!", waiting.retrying AS "retrying!",
  waiting.due AS "due!", waiting.next_at AS "next_at?", leased.jobs AS "running!", leased.unexpired AS "unexpired!",
  leased.last_started_at AS "last_started_at?",
  (SELECT floor(extract(epoch FROM current_ts() - min(created_at)))::bigint FROM heads) AS "oldest_seconds?",
  (SELECT floor(extract(epoch FROM current_ts() - min(claimable_at)))::bigint FROM heads) AS "waiting_seconds?",
  listeners.healthy AS "healthy!", listeners.degraded AS "degraded!", listeners.draining AS "draining!", listeners.offline AS "offline!",
  listeners.last_heartbeat AS "last_heartbeat?", current_ts() AS "checked_at!"
FROM ready CROSS JOIN blocked CROSS JOIN waiting CROSS JOIN leased CROSS JOIN listeners
LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!;
