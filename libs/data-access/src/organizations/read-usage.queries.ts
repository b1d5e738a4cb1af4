/** Types generated for queries found in "libs/data-access/src/organizations/read-usage.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadUsage' parameters type */
export type ReadUsageParams = void;

/** 'ReadUsage' return type */
export interface ReadUsageResult {
  active_jobs: number;
  api_keys: number;
  jobs_today: number;
  queues: number;
  schedules: number;
  webhooks: number;
  workers: number;
  workflows: number;
}

/** 'ReadUsage' query type */
export interface ReadUsageQuery {
  params: ReadUsageParams;
  result: ReadUsageResult;
}

const readUsageIR: any = {"usedParamSet":{},"params":[],"statement":"-- Usage of each limited resource by the current organization, from live rows and counters, never from job history.\n-- A queue counts when it is configured, was created by a job, or is the target of an active schedule.\nSELECT\n  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date) AS \"jobs_today!\",\n  (SELECT count(*) FROM job_queue) AS \"active_jobs!\",\n  (\n    SELECT count(*)\n    FROM (\n      SELECT queue_name FROM queue_config\n      UNION SELECT queue_name FROM queues\n      UNION SELECT queue_name FROM schedules WHERE is_active\n    ) AS named\n  ) AS \"queues!\",\n  (SELECT count(*) FROM workers WHERE status IN ('healthy', 'degraded')) AS \"workers!\",\n  (SELECT count(*) FROM api_keys WHERE is_active) AS \"api_keys!\",\n  (SELECT count(*) FROM schedules WHERE is_active) AS \"schedules!\",\n  (SELECT count(*) FROM workflows) AS \"workflows!\",\n  (SELECT count(*) FROM outgoing_webhooks WHERE enabled) AS \"webhooks!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Usage of each limited resource by the current organization, from live rows and counters, never from job history.
 * -- A queue counts when it is configured, was created by a job, or is the target of an active schedule.
 * SELECT
 *   (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
 *   (SELECT count(*) FROM job_queue) AS "active_jobs!",
 *   (
 *     SELECT count(*)
 *     FROM (
 *       SELECT queue_name FROM queue_config
 *       UNION SELECT queue_name FROM queues
 *       UNION SELECT queue_name FROM schedules WHERE is_active
 *     ) AS named
 *   ) AS "queues!",
 *   (SELECT count(*) FROM workers WHERE status IN ('healthy', 'degraded')) AS "workers!",
 *   (SELECT count(*) FROM api_keys WHERE is_active) AS "api_keys!",
 *   (SELECT count(*) FROM schedules WHERE is_active) AS "schedules!",
 *   (SELECT count(*) FROM workflows) AS "workflows!",
 *   (SELECT count(*) FROM outgoing_webhooks WHERE enabled) AS "webhooks!"
 * ```
 */
export const readUsage = new PreparedQuery<ReadUsageParams,ReadUsageResult>(readUsageIR);


