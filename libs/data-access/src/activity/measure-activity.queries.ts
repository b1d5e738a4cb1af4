/** Types generated for queries found in "libs/data-access/src/activity/measure-activity.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'MeasureActivity' parameters type */
export interface MeasureActivityParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'MeasureActivity' return type */
export interface MeasureActivityResult {
  avg_run_ms: number | null;
  avg_wait_ms: number | null;
  completed_1h: number;
  completed_24h: number;
  created_1h: number;
  failed_1h: number;
  failed_24h: number;
}

/** 'MeasureActivity' query type */
export interface MeasureActivityQuery {
  params: MeasureActivityParams;
  result: MeasureActivityResult;
}

const measureActivityIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":532,"b":547}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":554,"b":560},{"a":601,"b":607}]}],"statement":"-- Recent activity of an organization from the hourly counters; the oldest hour of a period is weighted by its share within it.\n-- :queues null = all.\n-- Relies on job_stats primary key.\nWITH recent AS (\n  SELECT s.created, s.completed, s.deadlettered, s.wait_ms, s.run_ms,\n    least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - now()) / 3600)) AS within_hour,\n    least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS within_day\n  FROM job_stats s\n  WHERE s.organization_id = :organizationId! AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))\n    AND s.hour > now() - interval '25 hours'\n)\nSELECT\n  coalesce(round(sum(created * within_hour)), 0)::bigint AS \"created_1h!\",\n  coalesce(round(sum(completed * within_hour)), 0)::bigint AS \"completed_1h!\",\n  coalesce(round(sum(deadlettered * within_hour)), 0)::bigint AS \"failed_1h!\",\n  coalesce(round(sum(completed * within_day)), 0)::bigint AS \"completed_24h!\",\n  coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS \"failed_24h!\",\n  (sum(wait_ms) / nullif(sum(completed), 0))::double precision AS avg_wait_ms,\n  (sum(run_ms) / nullif(sum(completed), 0))::double precision AS avg_run_ms\nFROM recent"};

/**
 * Query generated from SQL:
 * ```
 * -- Recent activity of an organization from the hourly counters; the oldest hour of a period is weighted by its share within it.
 * -- :queues null = all.
 * -- Relies on job_stats primary key.
 * WITH recent AS (
 *   SELECT s.created, s.completed, s.deadlettered, s.wait_ms, s.run_ms,
 *     least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - now()) / 3600)) AS within_hour,
 *     least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS within_day
 *   FROM job_stats s
 *   WHERE s.organization_id = :organizationId! AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))
 *     AND s.hour > now() - interval '25 hours'
 * )
 * SELECT
 *   coalesce(round(sum(created * within_hour)), 0)::bigint AS "created_1h!",
 *   coalesce(round(sum(completed * within_hour)), 0)::bigint AS "completed_1h!",
 *   coalesce(round(sum(deadlettered * within_hour)), 0)::bigint AS "failed_1h!",
 *   coalesce(round(sum(completed * within_day)), 0)::bigint AS "completed_24h!",
 *   coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS "failed_24h!",
 *   (sum(wait_ms) / nullif(sum(completed), 0))::double precision AS avg_wait_ms,
 *   (sum(run_ms) / nullif(sum(completed), 0))::double precision AS avg_run_ms
 * FROM recent
 * ```
 */
export const measureActivity = new PreparedQuery<MeasureActivityParams,MeasureActivityResult>(measureActivityIR);


