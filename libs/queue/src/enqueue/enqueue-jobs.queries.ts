/** Types generated for queries found in "libs/queue/src/enqueue/enqueue-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'EnqueueJobs' parameters type */
export interface EnqueueJobsParams {
  heads: string;
  lists: string;
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

const enqueueJobsIR: any = {"usedParamSet":{"heads":true,"lists":true,"maxRetries":true,"timeoutSeconds":true},"params":[{"name":"heads","required":true,"transform":{"type":"scalar"},"locs":[{"a":23,"b":29}]},{"name":"lists","required":true,"transform":{"type":"scalar"},"locs":[{"a":32,"b":38}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":41,"b":52}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":55,"b":70}]}],"statement":"SELECT enqueue_jobs_v1(:heads!, :lists!, :maxRetries!, :timeoutSeconds!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT enqueue_jobs_v1(:heads!, :lists!, :maxRetries!, :timeoutSeconds!) AS "answer!"
 * ```
 */
export const enqueueJobs = new PreparedQuery<EnqueueJobsParams,EnqueueJobsResult>(enqueueJobsIR);


