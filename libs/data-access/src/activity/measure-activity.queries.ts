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

const measureActivityIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":864,"b":879},{"a":1478,"b":1493},{"a":1838,"b":1853}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":886,"b":892},{"a":933,"b":939},{"a":1586,"b":1592},{"a":1730,"b":1736}]}],"statement":"-- Recent activity of an organization. The last hour is what this hour has counted and the minutes of the one before; where those were\n-- not sampled, and for the last day, the oldest hour of the period is weighted by its share within it. Averages of completed jobs.\n-- :queues null = all.\n-- Relies on the primary keys of job_stats, queue_series and series_samples.\nWITH bounds AS (\n  SELECT date_trunc('hour', current_ts()) AS hour, date_trunc('minute', current_ts()) - interval '1 hour' AS since\n), recent AS (\n  SELECT s.hour, s.created, s.completed, s.deadlettered, s.wait_ms, s.run_ms,\n    least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - current_ts()) / 3600)) AS within_hour,\n    least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - current_ts()) / 3600)) AS within_day\n  FROM job_stats s\n  WHERE s.organization_id = :organizationId! AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))\n    AND s.hour > current_ts() - interval '25 hours'\n), sampled AS (\n  SELECT coalesce(sum(m.counted_seconds), 0) = extract(epoch FROM b.hour - b.since) AS is_complete\n  FROM bounds b LEFT JOIN series_samples m ON m.step = 60 AND m.at >= b.since AND m.at < b.hour\n  GROUP BY b.hour, b.since\n), minutes AS (\n  SELECT coalesce(sum(q.created), 0)::bigint AS created, coalesce(sum(q.completed), 0)::bigint AS completed,\n    coalesce(sum(q.deadlettered), 0)::bigint AS deadlettered\n  FROM bounds b JOIN queue_series q ON q.organization_id = :organizationId! AND q.step = 60 AND q.at >= b.since AND q.at < b.hour\n    AND q.queue_name = ANY (coalesce(:queues::text[], ARRAY['']))\n), known AS (\n  -- Only the busiest queues of an organization are reported separately.\n  SELECT s.is_complete AND (:queues::text[] IS NULL OR NOT EXISTS (\n    SELECT FROM bounds b JOIN queue_series q ON q.organization_id = :organizationId! AND q.step = 60 AND q.at >= b.since AND q.at < b.hour\n      AND q.queue_name = '' AND q.left_out > 0)) AS by_minutes\n  FROM sampled s\n)\nSELECT\n  CASE WHEN k.by_minutes THEN r.created_now + m.created ELSE r.created_1h END::bigint AS \"created_1h!\",\n  CASE WHEN k.by_minutes THEN r.completed_now + m.completed ELSE r.completed_1h END::bigint AS \"completed_1h!\",\n  CASE WHEN k.by_minutes THEN r.failed_now + m.deadlettered ELSE r.failed_1h END::bigint AS \"failed_1h!\",\n  r.completed_24h AS \"completed_24h!\", r.failed_24h AS \"failed_24h!\", r.avg_wait_ms, r.avg_run_ms\nFROM (\n  SELECT\n    coalesce(sum(created) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS created_now,\n    coalesce(sum(completed) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS completed_now,\n    coalesce(sum(deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS failed_now,\n    coalesce(round(sum(created * within_hour)), 0)::bigint AS created_1h,\n    coalesce(round(sum(completed * within_hour)), 0)::bigint AS completed_1h,\n    coalesce(round(sum(deadlettered * within_hour)), 0)::bigint AS failed_1h,\n    coalesce(round(sum(completed * within_day)), 0)::bigint AS completed_24h,\n    coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS failed_24h,\n    round(sum(wait_ms) / nullif(sum(completed), 0))::bigint AS avg_wait_ms,\n    round(sum(run_ms) / nullif(sum(completed), 0))::bigint AS avg_run_ms\n  FROM recent\n) AS r CROSS JOIN minutes m CROSS JOIN known k"};

/**
 * Query generated from SQL:
 * ```
 * -- Recent activity of an organization. The last hour is what this hour has counted and the minutes of the one before; where those were
 * -- not sampled, and for the last day, the oldest hour of the period is weighted by its share within it. Averages of completed jobs.
 * -- :queues null = all.
 * -- Relies on the primary keys of job_stats, queue_series and series_samples.
 * WITH bounds AS (
 *   SELECT date_trunc('hour', current_ts()) AS hour, date_trunc('minute', current_ts()) - interval '1 hour' AS since
 * ), recent AS (
 *   SELECT s.hour, s.created, s.completed, s.deadlettered, s.wait_ms, s.run_ms,
 *     least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - current_ts()) / 3600)) AS within_hour,
 *     least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - current_ts()) / 3600)) AS within_day
 *   FROM job_stats s
 *   WHERE s.organization_id = :organizationId! AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues))
 *     AND s.hour > current_ts() - interval '25 hours'
 * ), sampled AS (
 *   SELECT coalesce(sum(m.counted_seconds), 0) = extract(epoch FROM b.hour - b.since) AS is_complete
 *   FROM bounds b LEFT JOIN series_samples m ON m.step = 60 AND m.at >= b.since AND m.at < b.hour
 *   GROUP BY b.hour, b.since
 * ), minutes AS (
 *   SELECT coalesce(sum(q.created), 0)::bigint AS created, coalesce(sum(q.completed), 0)::bigint AS completed,
 *     coalesce(sum(q.deadlettered), 0)::bigint AS deadlettered
 *   FROM bounds b JOIN queue_series q ON q.organization_id = :organizationId! AND q.step = 60 AND q.at >= b.since AND q.at < b.hour
 *     AND q.queue_name = ANY (coalesce(:queues::text[], ARRAY['']))
 * ), known AS (
 *   -- Only the busiest queues of an organization are reported separately.
 *   SELECT s.is_complete AND (:queues::text[] IS NULL OR NOT EXISTS (
 *     SELECT FROM bounds b JOIN queue_series q ON q.organization_id = :organizationId! AND q.step = 60 AND q.at >= b.since AND q.at < b.hour
 *       AND q.queue_name = '' AND q.left_out > 0)) AS by_minutes
 *   FROM sampled s
 * )
 * SELECT
 *   CASE WHEN k.by_minutes THEN r.created_now + m.created ELSE r.created_1h END::bigint AS "created_1h!",
 *   CASE WHEN k.by_minutes THEN r.completed_now + m.completed ELSE r.completed_1h END::bigint AS "completed_1h!",
 *   CASE WHEN k.by_minutes THEN r.failed_now + m.deadlettered ELSE r.failed_1h END::bigint AS "failed_1h!",
 *   r.completed_24h AS "completed_24h!", r.failed_24h AS "failed_24h!", r.avg_wait_ms, r.avg_run_ms
 * FROM (
 *   SELECT
 *     coalesce(sum(created) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS created_now,
 *     coalesce(sum(completed) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS completed_now,
 *     coalesce(sum(deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts())), 0)::bigint AS failed_now,
 *     coalesce(round(sum(created * within_hour)), 0)::bigint AS created_1h,
 *     coalesce(round(sum(completed * within_hour)), 0)::bigint AS completed_1h,
 *     coalesce(round(sum(deadlettered * within_hour)), 0)::bigint AS failed_1h,
 *     coalesce(round(sum(completed * within_day)), 0)::bigint AS completed_24h,
 *     coalesce(round(sum(deadlettered * within_day)), 0)::bigint AS failed_24h,
 *     round(sum(wait_ms) / nullif(sum(completed), 0))::bigint AS avg_wait_ms,
 *     round(sum(run_ms) / nullif(sum(completed), 0))::bigint AS avg_run_ms
 *   FROM recent
 * ) AS r CROSS JOIN minutes m CROSS JOIN known k
 * ```
 */
export const measureActivity = new PreparedQuery<MeasureActivityParams,MeasureActivityResult>(measureActivityIR);


