/** Types generated for queries found in "libs/queue/src/retry/requeue-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type job_statusArray = (job_status)[];

export type stringArray = (string)[];

/** 'RequeueJobs' parameters type */
export interface RequeueJobsParams {
  ids: stringArray;
  organizationId: string;
  outcomes: job_statusArray;
  quota?: string | null | void;
}

/** 'RequeueJobs' return type */
export interface RequeueJobsResult {
  answer: unknown;
}

/** 'RequeueJobs' query type */
export interface RequeueJobsQuery {
  params: RequeueJobsParams;
  result: RequeueJobsResult;
}

const requeueJobsIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"outcomes":true,"quota":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":23,"b":38}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":41,"b":45}]},{"name":"outcomes","required":true,"transform":{"type":"scalar"},"locs":[{"a":48,"b":57}]},{"name":"quota","required":false,"transform":{"type":"scalar"},"locs":[{"a":60,"b":65}]}],"statement":"SELECT requeue_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT requeue_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS "answer!"
 * ```
 */
export const requeueJobs = new PreparedQuery<RequeueJobsParams,RequeueJobsResult>(requeueJobsIR);


