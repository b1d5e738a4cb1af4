/** Types generated for queries found in "libs/data-access/src/explain/find-job-to-explain.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

/** 'FindJobToExplain' parameters type */
export interface FindJobToExplainParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindJobToExplain' return type */
export interface FindJobToExplainResult {
  callback_url: string | null;
  checked_at: string;
  completed_at: string | null;
  created_at: string;
  dependencies_met: boolean;
  dependency_mode: string | null;
  due_at: string | null;
  expires_at: string | null;
  id: string;
  is_expired: boolean | null;
  is_waiting: boolean | null;
  last_error: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number;
  outcome: job_status | null;
  queue_name: string;
  retry_count: number;
  started_at: string | null;
  state: live_state | null;
  timeout_seconds: number;
  updated_at: string;
  worker_id: string | null;
}

/** 'FindJobToExplain' query type */
export interface FindJobToExplainQuery {
  params: FindJobToExplainParams;
  result: FindJobToExplainResult;
}

const findJobToExplainIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1159,"b":1174}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":1187,"b":1190}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1197,"b":1203},{"a":1244,"b":1250}]}],"statement":"-- What decides when a job runs, from its record and its live row; without payload and result.\n-- :queues that the caller may access, null = all.\n-- Relies on the primary keys of jobs, job_queue and queue_deletions; the time in the id selects the partition.\nSELECT\n  j.id AS \"id!\", j.queue_name AS \"queue_name!\", q.state AS \"state?\", j.outcome, coalesce(q.dependencies_met, true) AS \"dependencies_met!\",\n  j.dependency_mode, j.created_at AS \"created_at!\", j.updated_at AS \"updated_at!\", j.completed_at,\n  q.due_at, q.due_at > current_ts() AS is_waiting, q.expires_at, q.expires_at <= current_ts() AS is_expired,\n  coalesce(q.retry_count, j.retry_count) AS \"retry_count!\", j.max_retries AS \"max_retries!\", j.timeout_seconds AS \"timeout_seconds!\",\n  CASE WHEN q.job_id IS NULL THEN j.started_at ELSE q.started_at END AS started_at,\n  CASE WHEN q.job_id IS NULL THEN j.last_error ELSE q.last_error END AS last_error,\n  j.settings ->> 'callback_url' AS callback_url, q.worker_id, q.lease_id, q.lease_expires_at, current_ts() AS \"checked_at!\"\nFROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id\nWHERE j.organization_id = :organizationId! AND j.id = :id! AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions d\n    WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until)"};

/**
 * Query generated from SQL:
 * ```
 * -- What decides when a job runs, from its record and its live row; without payload and result.
 * -- :queues that the caller may access, null = all.
 * -- Relies on the primary keys of jobs, job_queue and queue_deletions; the time in the id selects the partition.
 * SELECT
 *   j.id AS "id!", j.queue_name AS "queue_name!", q.state AS "state?", j.outcome, coalesce(q.dependencies_met, true) AS "dependencies_met!",
 *   j.dependency_mode, j.created_at AS "created_at!", j.updated_at AS "updated_at!", j.completed_at,
 *   q.due_at, q.due_at > current_ts() AS is_waiting, q.expires_at, q.expires_at <= current_ts() AS is_expired,
 *   coalesce(q.retry_count, j.retry_count) AS "retry_count!", j.max_retries AS "max_retries!", j.timeout_seconds AS "timeout_seconds!",
 *   CASE WHEN q.job_id IS NULL THEN j.started_at ELSE q.started_at END AS started_at,
 *   CASE WHEN q.job_id IS NULL THEN j.last_error ELSE q.last_error END AS last_error,
 *   j.settings ->> 'callback_url' AS callback_url, q.worker_id, q.lease_id, q.lease_expires_at, current_ts() AS "checked_at!"
 * FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id
 * WHERE j.organization_id = :organizationId! AND j.id = :id! AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *   AND NOT EXISTS (
 *     SELECT FROM queue_deletions d
 *     WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until)
 * ```
 */
export const findJobToExplain = new PreparedQuery<FindJobToExplainParams,FindJobToExplainResult>(findJobToExplainIR);


