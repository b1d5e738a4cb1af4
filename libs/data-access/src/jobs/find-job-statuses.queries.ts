/** Types generated for queries found in "libs/data-access/src/jobs/find-job-statuses.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'FindJobStatuses' parameters type */
export interface FindJobStatusesParams {
  ids: stringArray;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindJobStatuses' return type */
export interface FindJobStatusesResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  max_retries: number;
  queue_name: string;
  retry_count: number;
  status: job_status;
}

/** 'FindJobStatuses' query type */
export interface FindJobStatusesQuery {
  params: FindJobStatusesParams;
  result: FindJobStatusesResult;
}

const findJobStatusesIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":364,"b":379}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":382,"b":386},{"a":422,"b":426}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":389,"b":395}]}],"statement":"-- Statuses of jobs in the order of :ids; unknown ids are omitted.\n-- :queues that the caller may access, null = all.\nSELECT\n  id AS \"id!\", status::job_status AS \"status!\", queue_name AS \"queue_name!\", retry_count AS \"retry_count!\", retry_count AS \"attempt!\",\n  max_retries AS \"max_retries!\",\n  created_at AS \"created_at!\", completed_at\nFROM find_job_summaries_v1(:organizationId!, :ids!, :queues)\nORDER BY array_position(:ids!::uuid[], id)"};

/**
 * Query generated from SQL:
 * ```
 * -- Statuses of jobs in the order of :ids; unknown ids are omitted.
 * -- :queues that the caller may access, null = all.
 * SELECT
 *   id AS "id!", status::job_status AS "status!", queue_name AS "queue_name!", retry_count AS "retry_count!", retry_count AS "attempt!",
 *   max_retries AS "max_retries!",
 *   created_at AS "created_at!", completed_at
 * FROM find_job_summaries_v1(:organizationId!, :ids!, :queues)
 * ORDER BY array_position(:ids!::uuid[], id)
 * ```
 */
export const findJobStatuses = new PreparedQuery<FindJobStatusesParams,FindJobStatusesResult>(findJobStatusesIR);


