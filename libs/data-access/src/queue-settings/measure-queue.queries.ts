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

const measureQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":589,"b":604},{"a":793,"b":808},{"a":953,"b":968},{"a":1128,"b":1143},{"a":1292,"b":1307},{"a":1468,"b":1483},{"a":1649,"b":1664},{"a":1883,"b":1898},{"a":2027,"b":2042},{"a":2588,"b":2603}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":625,"b":635},{"a":827,"b":837},{"a":987,"b":997},{"a":1162,"b":1172},{"a":1326,"b":1336},{"a":1502,"b":1512},{"a":1683,"b":1693},{"a":1725,"b":1735},{"a":1917,"b":1927},{"a":2061,"b":2071},{"a":2622,"b":2632}]}],"statement":"-- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).\n-- Of a queue whose jobs are being deleted none are counted until those are gone.\n-- Relies on the partial indexes of job_queue, one per state; job_stats primary key.\nWITH recent AS (\n  SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms\n  FROM job_stats s\n  CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - current_ts()) / 3600)) AS share) w\n  WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours'\n), ready AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n), blocked AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n), retrying AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying' AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n)\nSELECT\n  :queueName!::text AS \"queue_name!\",\n  ready.jobs + blocked.jobs + retrying.jobs AS \"pending_jobs!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!\n    AND state = 'leased' AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)) AS \"processing_jobs!\",\n  (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS \"completed_jobs_24h!\",\n  (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS \"failed_jobs_24h!\",\n  (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,\n  floor(extract(epoch FROM current_ts() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,\n  (SELECT count(*) FROM workers\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS \"active_workers!\"\nFROM ready, blocked, retrying"};

/**
 * Query generated from SQL:
 * ```
 * -- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).
 * -- Of a queue whose jobs are being deleted none are counted until those are gone.
 * -- Relies on the partial indexes of job_queue, one per state; job_stats primary key.
 * WITH recent AS (
 *   SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms
 *   FROM job_stats s
 *   CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - current_ts()) / 3600)) AS share) w
 *   WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours'
 * ), ready AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met AND NOT EXISTS (
 *     SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
 * ), blocked AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met AND NOT EXISTS (
 *     SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
 * ), retrying AS (
 *   SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying' AND NOT EXISTS (
 *     SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
 * )
 * SELECT
 *   :queueName!::text AS "queue_name!",
 *   ready.jobs + blocked.jobs + retrying.jobs AS "pending_jobs!",
 *   (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
 *     AND state = 'leased' AND NOT EXISTS (
 *     SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)) AS "processing_jobs!",
 *   (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS "completed_jobs_24h!",
 *   (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS "failed_jobs_24h!",
 *   (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,
 *   floor(extract(epoch FROM current_ts() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,
 *   (SELECT count(*) FROM workers
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS "active_workers!"
 * FROM ready, blocked, retrying
 * ```
 */
export const measureQueue = new PreparedQuery<MeasureQueueParams,MeasureQueueResult>(measureQueueIR);


