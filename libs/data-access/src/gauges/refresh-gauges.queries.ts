/** Types generated for queries found in "libs/data-access/src/gauges/refresh-gauges.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RefreshGauges' parameters type */
export type RefreshGaugesParams = void;

/** 'RefreshGauges' return type */
export interface RefreshGaugesResult {
  name: string;
  value: number;
}

/** 'RefreshGauges' query type */
export interface RefreshGaugesQuery {
  params: RefreshGaugesParams;
  result: RefreshGaugesResult;
}

const refreshGaugesIR: any = {"usedParamSet":{},"params":[],"statement":"-- Counts live rows across all tenants and stores the values for the services that export metrics.\n-- Scans job_queue once, which contains only live jobs (1 million rows: about 0.1 s).\nWITH live AS (\n  SELECT\n    count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,\n    count(*) FILTER (WHERE state = 'leased') AS processing,\n    min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest\n  FROM job_queue\n), worker_counts AS (\n  SELECT count(*) FILTER (WHERE status <> 'offline') AS active, count(*) FILTER (WHERE status = 'healthy') AS healthy\n  FROM workers\n), figures (name, value) AS (\n  SELECT 'spooled_jobs_pending', pending FROM live\n  UNION ALL SELECT 'spooled_jobs_processing', processing FROM live\n  UNION ALL SELECT 'spooled_job_max_age_seconds', coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0) FROM live\n  UNION ALL SELECT 'spooled_workers_active', active FROM worker_counts\n  UNION ALL SELECT 'spooled_workers_healthy', healthy FROM worker_counts\n)\nINSERT INTO system_gauges (name, value) SELECT name, value FROM figures\nON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = current_ts()\nRETURNING name, value"};

/**
 * Query generated from SQL:
 * ```
 * -- Counts live rows across all tenants and stores the values for the services that export metrics.
 * -- Scans job_queue once, which contains only live jobs (1 million rows: about 0.1 s).
 * WITH live AS (
 *   SELECT
 *     count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,
 *     count(*) FILTER (WHERE state = 'leased') AS processing,
 *     min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest
 *   FROM job_queue
 * ), worker_counts AS (
 *   SELECT count(*) FILTER (WHERE status <> 'offline') AS active, count(*) FILTER (WHERE status = 'healthy') AS healthy
 *   FROM workers
 * ), figures (name, value) AS (
 *   SELECT 'spooled_jobs_pending', pending FROM live
 *   UNION ALL SELECT 'spooled_jobs_processing', processing FROM live
 *   UNION ALL SELECT 'spooled_job_max_age_seconds', coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0) FROM live
 *   UNION ALL SELECT 'spooled_workers_active', active FROM worker_counts
 *   UNION ALL SELECT 'spooled_workers_healthy', healthy FROM worker_counts
 * )
 * INSERT INTO system_gauges (name, value) SELECT name, value FROM figures
 * ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = current_ts()
 * RETURNING name, value
 * ```
 */
export const refreshGauges = new PreparedQuery<RefreshGaugesParams,RefreshGaugesResult>(refreshGaugesIR);


