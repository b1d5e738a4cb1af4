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
  completed_at: string | null;
  created_at: string;
  id: string;
  queue_name: string;
  retry_count: number;
  status: job_status;
}

/** 'FindJobStatuses' query type */
export interface FindJobStatusesQuery {
  params: FindJobStatusesParams;
  result: FindJobStatusesResult;
}

const findJobStatusesIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":356,"b":371}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":387,"b":391},{"a":486,"b":490}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":407,"b":413},{"a":452,"b":458}]}],"statement":"-- Statuses of jobs in the order of :ids; unknown ids are omitted.\n-- :queues that the caller may access, null = all.\n-- Relies on the primary key of jobs.\nSELECT\n  id AS \"id!\", status::job_status AS \"status!\", queue_name AS \"queue_name!\", retry_count AS \"retry_count!\",\n  created_at AS \"created_at!\", completed_at\nFROM job_records\nWHERE organization_id = :organizationId! AND id = ANY (:ids!::uuid[]) AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\nORDER BY array_position(:ids!::uuid[], id)"};

/**
 * Query generated from SQL:
 * ```
 * -- Statuses of jobs in the order of :ids; unknown ids are omitted.
 * -- :queues that the caller may access, null = all.
 * -- Relies on the primary key of jobs.
 * SELECT
 *   id AS "id!", status::job_status AS "status!", queue_name AS "queue_name!", retry_count AS "retry_count!",
 *   created_at AS "created_at!", completed_at
 * FROM job_records
 * WHERE organization_id = :organizationId! AND id = ANY (:ids!::uuid[]) AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ORDER BY array_position(:ids!::uuid[], id)
 * ```
 */
export const findJobStatuses = new PreparedQuery<FindJobStatusesParams,FindJobStatusesResult>(findJobStatusesIR);


