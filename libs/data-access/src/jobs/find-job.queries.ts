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

const findJobIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":728,"b":743}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":746,"b":749}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":752,"b":758}]}],"statement":"-- One job of the organization.\n-- :queues that the caller may access, null = all.\nSELECT\n  id AS \"id!\", organization_id AS \"organization_id!\", queue_name AS \"queue_name!\", status::job_status AS \"status!\", payload AS \"payload!\",\n  result, retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", last_error, created_at AS \"created_at!\", scheduled_at,\n  started_at, completed_at, expires_at, priority AS \"priority!\", tags::text AS tags, timeout_seconds AS \"timeout_seconds!\", parent_job_id,\n  completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS \"updated_at!\", workflow_id,\n  dependency_mode, dependencies_met, progress, progress_message, progress_at, settings\nFROM find_job_v1(:organizationId!, :id!, :queues)"};

/**
 * Query generated from SQL:
 * ```
 * -- One job of the organization.
 * -- :queues that the caller may access, null = all.
 * SELECT
 *   id AS "id!", organization_id AS "organization_id!", queue_name AS "queue_name!", status::job_status AS "status!", payload AS "payload!",
 *   result, retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at,
 *   started_at, completed_at, expires_at, priority AS "priority!", tags::text AS tags, timeout_seconds AS "timeout_seconds!", parent_job_id,
 *   completion_webhook, assigned_worker_id, lease_id, lease_expires_at, idempotency_key, updated_at AS "updated_at!", workflow_id,
 *   dependency_mode, dependencies_met, progress, progress_message, progress_at, settings
 * FROM find_job_v1(:organizationId!, :id!, :queues)
 * ```
 */
export const findJob = new PreparedQuery<FindJobParams,FindJobResult>(findJobIR);


