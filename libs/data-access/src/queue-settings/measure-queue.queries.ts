/** Types generated for queries found in "libs/data-access/src/queue-settings/measure-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MeasureQueue' parameters type */
export interface MeasureQueueParams {
  organizationId: string;
  queueName: string;
}

/** 'MeasureQueue' return type */
export interface MeasureQueueResult {
  active_workers: number;
  avg_processing_time_ms: number | null;
  completed_jobs_24h: number;
  failed_jobs_24h: number;
  max_job_age_seconds: number | null;
  pending_jobs: number;
  processing_jobs: number;
  queue_name: string;
}

/** 'MeasureQueue' query type */
export interface MeasureQueueQuery {
  params: MeasureQueueParams;
  result: MeasureQueueResult;
}

const measureQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":500,"b":515},{"a":697,"b":712},{"a":894,"b":909},{"a":1096,"b":1111},{"a":1373,"b":1388},{"a":1933,"b":1948}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":536,"b":546},{"a":731,"b":741},{"a":928,"b":938},{"a":1130,"b":1140},{"a":1215,"b":1225},{"a":1407,"b":1417},{"a":1967,"b":1977}]}],"statement":"-- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).\n-- Relies on the partial indexes of job_queue, one per state; job_stats primary key.\nWITH recent AS (\n  SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms\n  FROM job_stats s\n  CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS share) w\n  WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > now() - interval '25 hours'\n), ready AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met\n), blocked AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met\n), retrying AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying'\n)\nSELECT\n  :queueName!::text AS \"queue_name!\",\n  ready.jobs + blocked.jobs + retrying.jobs AS \"pending_jobs!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!\n    AND state = 'leased') AS \"processing_jobs!\",\n  (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS \"completed_jobs_24h!\",\n  (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS \"failed_jobs_24h!\",\n  (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,\n  floor(extract(epoch FROM now() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,\n  (SELECT count(*) FROM workers\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS \"active_workers!\"\nFROM ready, blocked, retrying"};

/**
 * Query generated from SQL:
 * ```
 * -- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).
 * -- Relies on the partial indexes of job_queue, one per state; job_stats primary key.
 * WITH recent AS (
 *   SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms
 *   FROM job_stats s
 *   CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS share) w
 *   WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > now() - interval '25 hours'
 * ), ready AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
 * ), blocked AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met
 * ), retrying AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying'
 * )
 * SELECT
 *   :queueName!::text AS "queue_name!",
 *   ready.jobs + blocked.jobs + retrying.jobs AS "pending_jobs!",
 *   (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
 *     AND state = 'leased') AS "processing_jobs!",
 *   (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS "completed_jobs_24h!",
 *   (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS "failed_jobs_24h!",
 *   (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,
 *   floor(extract(epoch FROM now() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,
 *   (SELECT count(*) FROM workers
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS "active_workers!"
 * FROM ready, blocked, retrying
 * ```
 */
export const measureQueue = new PreparedQuery<MeasureQueueParams,MeasureQueueResult>(measureQueueIR);


