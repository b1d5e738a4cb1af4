/** Types generated for queries found in "libs/queue/src/retry/revive-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type job_statusArray = (job_status)[];

export type stringArray = (string)[];

/** 'ReviveJobs' parameters type */
export interface ReviveJobsParams {
  ids: stringArray;
  organizationId: string;
  outcomes: job_statusArray;
  quota?: string | null | void;
}

/** 'ReviveJobs' return type */
export interface ReviveJobsResult {
  answer: unknown;
}

/** 'ReviveJobs' query type */
export interface ReviveJobsQuery {
  params: ReviveJobsParams;
  result: ReviveJobsResult;
}

const reviveJobsIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"outcomes":true,"quota":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":22,"b":37}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":40,"b":44}]},{"name":"outcomes","required":true,"transform":{"type":"scalar"},"locs":[{"a":47,"b":56}]},{"name":"quota","required":false,"transform":{"type":"scalar"},"locs":[{"a":59,"b":64}]}],"statement":"SELECT revive_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT revive_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS "answer!"
 * ```
 */
export const reviveJobs = new PreparedQuery<ReviveJobsParams,ReviveJobsResult>(reviveJobsIR);


