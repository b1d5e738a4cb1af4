/** Types generated for queries found in "libs/queue/src/enqueue/enqueue-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'EnqueueJobs' parameters type */
export interface EnqueueJobsParams {
  batch: string;
  maxRetries: number;
  timeoutSeconds: number;
}

/** 'EnqueueJobs' return type */
export interface EnqueueJobsResult {
  answer: unknown;
}

/** 'EnqueueJobs' query type */
export interface EnqueueJobsQuery {
  params: EnqueueJobsParams;
  result: EnqueueJobsResult;
}

const enqueueJobsIR: any = {"usedParamSet":{"batch":true,"maxRetries":true,"timeoutSeconds":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":23,"b":29}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":32,"b":43}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":46,"b":61}]}],"statement":"SELECT enqueue_jobs_v2(:batch!, :maxRetries!, :timeoutSeconds!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT enqueue_jobs_v2(:batch!, :maxRetries!, :timeoutSeconds!) AS "answer!"
 * ```
 */
export const enqueueJobs = new PreparedQuery<EnqueueJobsParams,EnqueueJobsResult>(enqueueJobsIR);


