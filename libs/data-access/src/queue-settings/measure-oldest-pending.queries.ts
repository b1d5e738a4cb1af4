/** Types generated for queries found in "libs/data-access/src/queue-settings/measure-oldest-pending.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MeasureOldestPending' parameters type */
export interface MeasureOldestPendingParams {
  organizationId: string;
  queueName: string;
}

/** 'MeasureOldestPending' return type */
export interface MeasureOldestPendingResult {
  age_ms: number;
}

/** 'MeasureOldestPending' query type */
export interface MeasureOldestPendingQuery {
  params: MeasureOldestPendingParams;
  result: MeasureOldestPendingResult;
}

const measureOldestPendingIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":272,"b":287},{"a":475,"b":490},{"a":633,"b":648},{"a":795,"b":810}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":306,"b":316},{"a":509,"b":519},{"a":667,"b":677},{"a":829,"b":839}]}],"statement":"-- Age of the oldest pending job of a queue in milliseconds, 0 when none is pending or while jobs of the queue are being deleted.\n-- Relies on the partial indexes of job_queue, one per state.\nSELECT CASE WHEN EXISTS (\n  SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs\n) THEN 0 ELSE coalesce(floor(extract(epoch FROM current_ts() - least(\n  (SELECT min(created_at) FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met),\n  (SELECT min(created_at) FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met),\n  (SELECT min(created_at) FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying')\n)) * 1000), 0)::bigint END AS \"age_ms!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Age of the oldest pending job of a queue in milliseconds, 0 when none is pending or while jobs of the queue are being deleted.
 * -- Relies on the partial indexes of job_queue, one per state.
 * SELECT CASE WHEN EXISTS (
 *   SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs
 * ) THEN 0 ELSE coalesce(floor(extract(epoch FROM current_ts() - least(
 *   (SELECT min(created_at) FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met),
 *   (SELECT min(created_at) FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met),
 *   (SELECT min(created_at) FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying')
 * )) * 1000), 0)::bigint END AS "age_ms!"
 * ```
 */
export const measureOldestPending = new PreparedQuery<MeasureOldestPendingParams,MeasureOldestPendingResult>(measureOldestPendingIR);


