/** Types generated for queries found in "libs/queue/src/complete/complete-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CompleteJobs' parameters type */
export interface CompleteJobsParams {
  batch: string;
}

/** 'CompleteJobs' return type */
export interface CompleteJobsResult {
  answer: string;
}

/** 'CompleteJobs' query type */
export interface CompleteJobsQuery {
  params: CompleteJobsParams;
  result: CompleteJobsResult;
}

const completeJobsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":24,"b":30}]}],"statement":"SELECT complete_jobs_v2(:batch!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT complete_jobs_v2(:batch!) AS "answer!"
 * ```
 */
export const completeJobs = new PreparedQuery<CompleteJobsParams,CompleteJobsResult>(completeJobsIR);


