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

const measureQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":515,"b":530},{"a":712,"b":727},{"a":909,"b":924},{"a":1111,"b":1126},{"a":1388,"b":1403},{"a":1948,"b":1963}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":551,"b":561},{"a":746,"b":756},{"a":943,"b":953},{"a":1145,"b":1155},{"a":1230,"b":1240},{"a":1422,"b":1432},{"a":1982,"b":1992}]}],"statement":"-- What a queue holds now, and what it did in the last 24 hours by the hourly counters (the oldest hour counts by its share).\n-- Relies on the partial indexes of job_queue, each for its own part; job_stats primary key.\nWITH recent AS (\n  SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms\n  FROM job_stats s\n  CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS share) w\n  WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > now() - interval '25 hours'\n), ready AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met\n), blocked AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met\n), retrying AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying'\n)\nSELECT\n  :queueName!::text AS \"queue_name!\",\n  ready.jobs + blocked.jobs + retrying.jobs AS \"pending_jobs!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!\n    AND state = 'leased') AS \"processing_jobs!\",\n  (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS \"completed_jobs_24h!\",\n  (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS \"failed_jobs_24h!\",\n  (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,\n  floor(extract(epoch FROM now() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,\n  (SELECT count(*) FROM workers\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS \"active_workers!\"\nFROM ready, blocked, retrying"};

/**
 * Query generated from SQL:
 * ```
 * -- What a queue holds now, and what it did in the last 24 hours by the hourly counters (the oldest hour counts by its share).
 * -- Relies on the partial indexes of job_queue, each for its own part; job_stats primary key.
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


