/** Types generated for queries found in "libs/queue/src/complete/complete-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type booleanArray = (boolean)[];

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'CompleteJobs' parameters type */
export interface CompleteJobsParams {
  counts: numberArray;
  ids: stringArray;
  leases: stringArray;
  numbers: numberArray;
  organizations: stringArray;
  renewed?: booleanArray | null | void;
  results?: string | null | void;
  scopes?: stringArray | null | void;
  workers: stringArray;
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

const completeJobsIR: any = {"usedParamSet":{"organizations":true,"counts":true,"numbers":true,"ids":true,"workers":true,"leases":true,"scopes":true,"renewed":true,"results":true},"params":[{"name":"organizations","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":41}]},{"name":"counts","required":true,"transform":{"type":"scalar"},"locs":[{"a":44,"b":51}]},{"name":"numbers","required":true,"transform":{"type":"scalar"},"locs":[{"a":54,"b":62}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":65,"b":69}]},{"name":"workers","required":true,"transform":{"type":"scalar"},"locs":[{"a":72,"b":80}]},{"name":"leases","required":true,"transform":{"type":"scalar"},"locs":[{"a":83,"b":90}]},{"name":"scopes","required":false,"transform":{"type":"scalar"},"locs":[{"a":93,"b":99}]},{"name":"renewed","required":false,"transform":{"type":"scalar"},"locs":[{"a":102,"b":109}]},{"name":"results","required":false,"transform":{"type":"scalar"},"locs":[{"a":112,"b":119}]}],"statement":"SELECT complete_jobs_v1(\n  :organizations!, :counts!, :numbers!, :ids!, :workers!, :leases!, :scopes, :renewed, :results) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT complete_jobs_v1(
 *   :organizations!, :counts!, :numbers!, :ids!, :workers!, :leases!, :scopes, :renewed, :results) AS "answer!"
 * ```
 */
export const completeJobs = new PreparedQuery<CompleteJobsParams,CompleteJobsResult>(completeJobsIR);


