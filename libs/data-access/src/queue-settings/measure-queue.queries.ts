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

const measureQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":582,"b":597},{"a":779,"b":794},{"a":939,"b":954},{"a":1114,"b":1129},{"a":1278,"b":1293},{"a":1454,"b":1469},{"a":1635,"b":1650},{"a":1869,"b":1884},{"a":2013,"b":2028},{"a":2567,"b":2582}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":618,"b":628},{"a":813,"b":823},{"a":973,"b":983},{"a":1148,"b":1158},{"a":1312,"b":1322},{"a":1488,"b":1498},{"a":1669,"b":1679},{"a":1711,"b":1721},{"a":1903,"b":1913},{"a":2047,"b":2057},{"a":2601,"b":2611}]}],"statement":"-- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).\n-- Of a queue whose jobs are being deleted none are counted until those are gone.\n-- Relies on the partial indexes of job_queue, one per state; job_stats primary key.\nWITH recent AS (\n  SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms\n  FROM job_stats s\n  CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS share) w\n  WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > now() - interval '25 hours'\n), ready AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n), blocked AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n), retrying AS (\n  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying' AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)\n)\nSELECT\n  :queueName!::text AS \"queue_name!\",\n  ready.jobs + blocked.jobs + retrying.jobs AS \"pending_jobs!\",\n  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!\n    AND state = 'leased' AND NOT EXISTS (\n    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)) AS \"processing_jobs!\",\n  (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS \"completed_jobs_24h!\",\n  (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS \"failed_jobs_24h!\",\n  (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,\n  floor(extract(epoch FROM now() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,\n  (SELECT count(*) FROM workers\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS \"active_workers!\"\nFROM ready, blocked, retrying"};

/**
 * Query generated from SQL:
 * ```
 * -- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).
 * -- Of a queue whose jobs are being deleted none are counted until those are gone.
 * -- Relies on the partial indexes of job_queue, one per state; job_stats primary key.
 * WITH recent AS (
 *   SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms
 *   FROM job_stats s
 *   CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - now()) / 3600)) AS share) w
 *   WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > now() - interval '25 hours'
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
 *   floor(extract(epoch FROM now() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,
 *   (SELECT count(*) FROM workers
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS "active_workers!"
 * FROM ready, blocked, retrying
 * ```
 */
export const measureQueue = new PreparedQuery<MeasureQueueParams,MeasureQueueResult>(measureQueueIR);


