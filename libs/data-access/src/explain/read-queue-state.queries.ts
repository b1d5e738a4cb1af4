/** Types generated for queries found in "libs/data-access/src/explain/read-queue-state.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadQueueState' parameters type */
export interface ReadQueueStateParams {
  defaultTimeout: number;
  most: number;
  organizationId: string;
  queueName: string;
}

/** 'ReadQueueState' return type */
export interface ReadQueueStateResult {
  blocked: number;
  checked_at: string;
  concurrency: number | null;
  degraded: number;
  deleted_until: string | null;
  draining: number;
  due: number;
  enabled: boolean;
  healthy: number;
  is_known: boolean;
  is_push: boolean;
  last_heartbeat: string | null;
  last_started_at: string | null;
  next_at: string | null;
  offline: number;
  oldest_seconds: number | null;
  pause_expires_at: string | null;
  paused_at: string | null;
  paused_by: string | null;
  paused_reason: string | null;
  rate_limit: number | null;
  ready: number;
  retrying: number;
  running: number;
  scheduled: number;
  timeout_seconds: number;
  unexpired: number;
  waiting_seconds: number | null;
}

/** 'ReadQueueState' query type */
export interface ReadQueueStateQuery {
  params: ReadQueueStateParams;
  result: ReadQueueStateResult;
}

const readQueueStateIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"most":true,"defaultTimeout":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":766,"b":781},{"a":1140,"b":1155},{"a":1435,"b":1450},{"a":1649,"b":1664},{"a":2064,"b":2079},{"a":2546,"b":2561},{"a":3045,"b":3060},{"a":3236,"b":3251},{"a":3831,"b":3846},{"a":4834,"b":4849}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":800,"b":810},{"a":1176,"b":1186},{"a":1469,"b":1479},{"a":1683,"b":1693},{"a":2109,"b":2119},{"a":2580,"b":2590},{"a":3079,"b":3089},{"a":3270,"b":3280},{"a":3865,"b":3875},{"a":4870,"b":4880}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":1528,"b":1533},{"a":1726,"b":1731},{"a":2200,"b":2205},{"a":2642,"b":2647},{"a":3126,"b":3131}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":3587,"b":3602}]}],"statement":"-- What decides whether a queue moves: its settings, jobs and workers. Each count stops after :most entries of its index, so that a long queue costs no more than that.\n-- Each part is ordered as only the index of the tenant and the queue is, because the indexes that serve all tenants (job_queue_due,\n-- job_queue_lease) would read the rows of the others; an array keeps the name of the queue in that order.\n-- Relies on the partial indexes of job_queue, one for each state; workers_organization.\nWITH RECURSIVE heads AS (\n  -- The oldest claimable job of each priority (there are 201), because the index of claims begins with the priority.\n  (\n    SELECT priority, created_at, coalesce(due_at, created_at) AS claimable_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met\n    ORDER BY priority DESC, created_at LIMIT 1\n  )\n  UNION ALL\n  SELECT next.priority, next.created_at, next.claimable_at FROM heads CROSS JOIN LATERAL (\n    SELECT q.priority, q.created_at, coalesce(q.due_at, q.created_at) AS claimable_at FROM job_queue q\n    WHERE q.organization_id = :organizationId! AND q.queue_name = :queueName! AND q.state = 'ready' AND q.dependencies_met\n      AND q.priority < heads.priority\n    ORDER BY q.priority DESC, q.created_at LIMIT 1\n  ) AS next\n), ready AS (\n  SELECT count(*) AS jobs FROM (\n    SELECT FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met LIMIT :most!\n  ) AS counted\n), blocked AS (\n  SELECT count(*) AS jobs FROM (\n    SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met LIMIT :most!\n  ) AS counted\n), waiting AS (\n  SELECT count(*) FILTER (WHERE state = 'scheduled') AS scheduled, count(*) FILTER (WHERE state = 'retrying') AS retrying,\n    count(*) FILTER (WHERE due_at <= current_ts()) AS due, min(due_at) AS next_at\n  FROM (\n    SELECT state, due_at, dependencies_met FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = ANY (ARRAY[:queueName!]) AND state IN ('scheduled', 'retrying')\n    ORDER BY queue_name, due_at LIMIT :most!\n  ) AS counted\n  -- Outside, so that blocked jobs count against the bound.\n  WHERE dependencies_met\n), leased AS (\n  SELECT count(*) AS jobs, count(*) FILTER (WHERE lease_expires_at > current_ts()) AS unexpired, max(started_at) AS last_started_at\n  FROM (\n    SELECT lease_expires_at, started_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'\n    ORDER BY worker_id LIMIT :most!\n  ) AS counted\n), listeners AS (\n  SELECT count(*) FILTER (WHERE status = 'healthy') AS healthy, count(*) FILTER (WHERE status = 'degraded') AS degraded,\n    count(*) FILTER (WHERE status = 'draining') AS draining, count(*) FILTER (WHERE status = 'offline') AS offline,\n    max(last_heartbeat) AS last_heartbeat\n  FROM (\n    SELECT status, last_heartbeat FROM workers\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! ORDER BY last_heartbeat DESC LIMIT :most!\n  ) AS counted\n)\nSELECT\n  (c.id IS NOT NULL OR EXISTS (\n    SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)) AS \"is_known!\",\n  coalesce(c.enabled, true) AS \"enabled!\", c.settings ->> 'paused_at' AS \"paused_at?\",\n  left(c.settings ->> 'paused_reason', 500) AS \"paused_reason?\", c.pause_expires_at AS \"pause_expires_at?\", c.paused_by AS \"paused_by?\",\n  c.rate_limit AS \"rate_limit?\",\n  coalesce(c.default_timeout, :defaultTimeout!::integer) AS \"timeout_seconds!\",\n  coalesce(jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true', false) AS \"is_push!\",\n  (SELECT deleted_until FROM queue_deletions\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs) AS \"deleted_until?\",\n  queue_concurrency_v1(c.settings) AS \"concurrency?\",\n  ready.jobs AS \"ready!\", blocked.jobs AS \"blocked!\", waiting.scheduled AS \"scheduled!\", waiting.retrying AS \"retrying!\",\n  waiting.due AS \"due!\", waiting.next_at AS \"next_at?\", leased.jobs AS \"running!\", leased.unexpired AS \"unexpired!\",\n  leased.last_started_at AS \"last_started_at?\",\n  (SELECT floor(extract(epoch FROM current_ts() - min(created_at)))::bigint FROM heads) AS \"oldest_seconds?\",\n  (SELECT floor(extract(epoch FROM current_ts() - min(claimable_at)))::bigint FROM heads) AS \"waiting_seconds?\",\n  listeners.healthy AS \"healthy!\", listeners.degraded AS \"degraded!\", listeners.draining AS \"draining!\", listeners.offline AS \"offline!\",\n  listeners.last_heartbeat AS \"last_heartbeat?\", current_ts() AS \"checked_at!\"\nFROM ready CROSS JOIN blocked CROSS JOIN waiting CROSS JOIN leased CROSS JOIN listeners\nLEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!"};

/**
 * Query generated from SQL:
 * ```
 * -- What decides whether a queue moves: its settings, jobs and workers. Each count stops after :most entries of its index, so that a long queue costs no more than that.
 * -- Each part is ordered as only the index of the tenant and the queue is, because the indexes that serve all tenants (job_queue_due,
 * -- job_queue_lease) would read the rows of the others; an array keeps the name of the queue in that order.
 * -- Relies on the partial indexes of job_queue, one for each state; workers_organization.
 * WITH RECURSIVE heads AS (
 *   -- The oldest claimable job of each priority (there are 201), because the index of claims begins with the priority.
 *   (
 *     SELECT priority, created_at, coalesce(due_at, created_at) AS claimable_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
 *     ORDER BY priority DESC, created_at LIMIT 1
 *   )
 *   UNION ALL
 *   SELECT next.priority, next.created_at, next.claimable_at FROM heads CROSS JOIN LATERAL (
 *     SELECT q.priority, q.created_at, coalesce(q.due_at, q.created_at) AS claimable_at FROM job_queue q
 *     WHERE q.organization_id = :organizationId! AND q.queue_name = :queueName! AND q.state = 'ready' AND q.dependencies_met
 *       AND q.priority < heads.priority
 *     ORDER BY q.priority DESC, q.created_at LIMIT 1
 *   ) AS next
 * ), ready AS (
 *   SELECT count(*) AS jobs FROM (
 *     SELECT FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met LIMIT :most!
 *   ) AS counted
 * ), blocked AS (
 *   SELECT count(*) AS jobs FROM (
 *     SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met LIMIT :most!
 *   ) AS counted
 * ), waiting AS (
 *   SELECT count(*) FILTER (WHERE state = 'scheduled') AS scheduled, count(*) FILTER (WHERE state = 'retrying') AS retrying,
 *     count(*) FILTER (WHERE due_at <= current_ts()) AS due, min(due_at) AS next_at
 *   FROM (
 *     SELECT state, due_at, dependencies_met FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = ANY (ARRAY[:queueName!]) AND state IN ('scheduled', 'retrying')
 *     ORDER BY queue_name, due_at LIMIT :most!
 *   ) AS counted
 *   -- Outside, so that blocked jobs count against the bound.
 *   WHERE dependencies_met
 * ), leased AS (
 *   SELECT count(*) AS jobs, count(*) FILTER (WHERE lease_expires_at > current_ts()) AS unexpired, max(started_at) AS last_started_at
 *   FROM (
 *     SELECT lease_expires_at, started_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'
 *     ORDER BY worker_id LIMIT :most!
 *   ) AS counted
 * ), listeners AS (
 *   SELECT count(*) FILTER (WHERE status = 'healthy') AS healthy, count(*) FILTER (WHERE status = 'degraded') AS degraded,
 *     count(*) FILTER (WHERE status = 'draining') AS draining, count(*) FILTER (WHERE status = 'offline') AS offline,
 *     max(last_heartbeat) AS last_heartbeat
 *   FROM (
 *     SELECT status, last_heartbeat FROM workers
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! ORDER BY last_heartbeat DESC LIMIT :most!
 *   ) AS counted
 * )
 * SELECT
 *   (c.id IS NOT NULL OR EXISTS (
 *     SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)) AS "is_known!",
 *   coalesce(c.enabled, true) AS "enabled!", c.settings ->> 'paused_at' AS "paused_at?",
 *   left(c.settings ->> 'paused_reason', 500) AS "paused_reason?", c.pause_expires_at AS "pause_expires_at?", c.paused_by AS "paused_by?",
 *   c.rate_limit AS "rate_limit?",
 *   coalesce(c.default_timeout, :defaultTimeout!::integer) AS "timeout_seconds!",
 *   coalesce(jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true', false) AS "is_push!",
 *   (SELECT deleted_until FROM queue_deletions
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs) AS "deleted_until?",
 *   queue_concurrency_v1(c.settings) AS "concurrency?",
 *   ready.jobs AS "ready!", blocked.jobs AS "blocked!", waiting.scheduled AS "scheduled!", waiting.retrying AS "retrying!",
 *   waiting.due AS "due!", waiting.next_at AS "next_at?", leased.jobs AS "running!", leased.unexpired AS "unexpired!",
 *   leased.last_started_at AS "last_started_at?",
 *   (SELECT floor(extract(epoch FROM current_ts() - min(created_at)))::bigint FROM heads) AS "oldest_seconds?",
 *   (SELECT floor(extract(epoch FROM current_ts() - min(claimable_at)))::bigint FROM heads) AS "waiting_seconds?",
 *   listeners.healthy AS "healthy!", listeners.degraded AS "degraded!", listeners.draining AS "draining!", listeners.offline AS "offline!",
 *   listeners.last_heartbeat AS "last_heartbeat?", current_ts() AS "checked_at!"
 * FROM ready CROSS JOIN blocked CROSS JOIN waiting CROSS JOIN leased CROSS JOIN listeners
 * LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = :queueName!
 * ```
 */
export const readQueueState = new PreparedQuery<ReadQueueStateParams,ReadQueueStateResult>(readQueueStateIR);


