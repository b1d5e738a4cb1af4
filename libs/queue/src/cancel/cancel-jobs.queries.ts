/** Types generated for queries found in "libs/queue/src/cancel/cancel-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'CancelJobs' parameters type */
export interface CancelJobsParams {
  ids: stringArray;
  organizationId: string;
  reason?: string | null | void;
}

/** 'CancelJobs' return type */
export interface CancelJobsResult {
  answer: unknown;
}

/** 'CancelJobs' query type */
export interface CancelJobsQuery {
  params: CancelJobsParams;
  result: CancelJobsResult;
}

const cancelJobsIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"reason":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":22,"b":37}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":40,"b":44}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":47,"b":53}]}],"statement":"SELECT cancel_jobs_v1(:organizationId!, :ids!, :reason) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT cancel_jobs_v1(:organizationId!, :ids!, :reason) AS "answer!"
 * ```
 */
export const cancelJobs = new PreparedQuery<CancelJobsParams,CancelJobsResult>(cancelJobsIR);


/** 'FindStatusOfJob' parameters type */
export interface FindStatusOfJobParams {
  id: string;
  organizationId: string;
}

/** 'FindStatusOfJob' return type */
export interface FindStatusOfJobResult {
  queue_name: string;
  status: string;
}

/** 'FindStatusOfJob' query type */
export interface FindStatusOfJobQuery {
  params: FindStatusOfJobParams;
  result: FindStatusOfJobResult;
}

const findStatusOfJobIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":97,"b":112}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":123,"b":126}]}],"statement":"SELECT status AS \"status!\", queue_name AS \"queue_name!\" FROM job_records WHERE organization_id = :organizationId! AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT status AS "status!", queue_name AS "queue_name!" FROM job_records WHERE organization_id = :organizationId! AND id = :id!
 * ```
 */
export const findStatusOfJob = new PreparedQuery<FindStatusOfJobParams,FindStatusOfJobResult>(findStatusOfJobIR);


