/** Types generated for queries found in "libs/data-access/src/jobs/find-job.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'FindJob' parameters type */
export interface FindJobParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindJob' return type */
export interface FindJobResult {
  assigned_worker_id: string | null;
  completed_at: string | null;
  completion_webhook: string | null;
  created_at: string;
  dependencies_met: boolean | null;
  dependency_mode: string | null;
  expires_at: string | null;
  id: string;
  idempotency_key: string | null;
  last_error: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number;
  organization_id: string;
  parent_job_id: string | null;
  payload: string;
  priority: number;
  progress: number | null;
  progress_at: string | null;
  progress_message: string | null;
  queue_name: string;
  result: string | null;
  retry_count: number;
  scheduled_at: string | null;
  settings: unknown | null;
  started_at: string | null;
  status: job_status;
  tags: string | null;
  timeout_seconds: number;
  updated_at: string;
  workflow_id: string | null;
}

/** 'FindJob' query type */
export interface FindJobQuery {
  params: FindJobParams;
  result: FindJobResult;
}

const findJobIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1065,"b":1080}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":1091,"b":1094}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1101,"b":1107},{"a":1146,"b":1152}]}],"statement":"-- One job of the organization.\n-- :queues that the caller may access, null = all.\n-- Relies on the primary key of jobs; the time in the id selects the partition.\nSELECT\n  id AS \"id!\", organization_id AS \"organization_id!\", queue_name AS \"queue_name!\", status::job_status AS \"status!\", payload AS \"payload!\",\n  result, retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", last_error, created_at AS \"created_at!\", scheduled_at,\n  started_at, completed_at, expires_at, priority AS \"priority!\", tags::text AS tags, timeout_seconds AS \"timeout_seconds!\", parent_job_id,\n  completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS \"updated_at!\", workflow_id,\n  dependency_mode, dependencies_met, live.progress, live.progress_message, live.progress_at,\n  (SELECT j.settings FROM jobs j WHERE j.id = job_records.id) AS settings\nFROM job_records\nLEFT JOIN LATERAL (\n  SELECT q.progress, q.progress_message, q.progress_at FROM job_queue q WHERE q.job_id = id AND q.state = 'leased'\n) AS live ON true\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))"};

/**
 * Query generated from SQL:
 * ```
 * -- One job of the organization.
 * -- :queues that the caller may access, null = all.
 * -- Relies on the primary key of jobs; the time in the id selects the partition.
 * SELECT
 *   id AS "id!", organization_id AS "organization_id!", queue_name AS "queue_name!", status::job_status AS "status!", payload AS "payload!",
 *   result, retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at,
 *   started_at, completed_at, expires_at, priority AS "priority!", tags::text AS tags, timeout_seconds AS "timeout_seconds!", parent_job_id,
 *   completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS "updated_at!", workflow_id,
 *   dependency_mode, dependencies_met, live.progress, live.progress_message, live.progress_at,
 *   (SELECT j.settings FROM jobs j WHERE j.id = job_records.id) AS settings
 * FROM job_records
 * LEFT JOIN LATERAL (
 *   SELECT q.progress, q.progress_message, q.progress_at FROM job_queue q WHERE q.job_id = id AND q.state = 'leased'
 * ) AS live ON true
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ```
 */
export const findJob = new PreparedQuery<FindJobParams,FindJobResult>(findJobIR);


