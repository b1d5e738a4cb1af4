/** Types generated for queries found in "libs/data-access/src/explain/measure-throughput.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MeasureThroughput' parameters type */
export interface MeasureThroughputParams {
  organizationId: string;
  queueName: string;
}

/** 'MeasureThroughput' return type */
export interface MeasureThroughputResult {
  average_run_ms: number | null;
  completed: number;
  created: number;
  deadlettered: number;
  retried: number;
}

/** 'MeasureThroughput' query type */
export interface MeasureThroughputQuery {
  params: MeasureThroughputParams;
  result: MeasureThroughputResult;
}

const measureThroughputIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":763,"b":778}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":799,"b":809}]}],"statement":"-- What a queue did in the last hour, and how long its jobs ran in the last 24, from the hourly counters. The oldest hour is weighted by its\n-- share of the period.\n-- Relies on the primary key of job_stats.\nSELECT\n  coalesce(round(sum(s.created * w.share)), 0)::bigint AS \"created!\",\n  coalesce(round(sum(s.completed * w.share)), 0)::bigint AS \"completed!\",\n  coalesce(round(sum(s.retried * w.share)), 0)::bigint AS \"retried!\",\n  coalesce(round(sum(s.deadlettered * w.share)), 0)::bigint AS \"deadlettered!\",\n  round(sum(s.run_ms) / nullif(sum(s.completed), 0))::bigint AS average_run_ms\nFROM job_stats s\nCROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - current_ts()) / 3600)) AS share) w\nWHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours'"};

/**
 * Query generated from SQL:
 * ```
 * -- What a queue did in the last hour, and how long its jobs ran in the last 24, from the hourly counters. The oldest hour is weighted by its
 * -- share of the period.
 * -- Relies on the primary key of job_stats.
 * SELECT
 *   coalesce(round(sum(s.created * w.share)), 0)::bigint AS "created!",
 *   coalesce(round(sum(s.completed * w.share)), 0)::bigint AS "completed!",
 *   coalesce(round(sum(s.retried * w.share)), 0)::bigint AS "retried!",
 *   coalesce(round(sum(s.deadlettered * w.share)), 0)::bigint AS "deadlettered!",
 *   round(sum(s.run_ms) / nullif(sum(s.completed), 0))::bigint AS average_run_ms
 * FROM job_stats s
 * CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '2 hours' - current_ts()) / 3600)) AS share) w
 * WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours'
 * ```
 */
export const measureThroughput = new PreparedQuery<MeasureThroughputParams,MeasureThroughputResult>(measureThroughputIR);


