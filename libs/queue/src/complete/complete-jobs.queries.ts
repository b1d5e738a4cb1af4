/** Types generated for queries found in "libs/queue/src/complete/complete-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'CompleteJobs' parameters type */
export interface CompleteJobsParams {
  lists: string;
  organizations: stringArray;
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

const completeJobsIR: any = {"usedParamSet":{"organizations":true,"lists":true},"params":[{"name":"organizations","required":true,"transform":{"type":"scalar"},"locs":[{"a":24,"b":38}]},{"name":"lists","required":true,"transform":{"type":"scalar"},"locs":[{"a":41,"b":47}]}],"statement":"SELECT complete_jobs_v3(:organizations!, :lists!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT complete_jobs_v3(:organizations!, :lists!) AS "answer!"
 * ```
 */
export const completeJobs = new PreparedQuery<CompleteJobsParams,CompleteJobsResult>(completeJobsIR);


