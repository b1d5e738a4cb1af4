/** Types generated for queries found in "libs/data-access/src/ingestion/find-job-status.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'FindJobStatus' parameters type */
export interface FindJobStatusParams {
  id: string;
}

/** 'FindJobStatus' return type */
export interface FindJobStatusResult {
  status: job_status;
}

/** 'FindJobStatus' query type */
export interface FindJobStatusQuery {
  params: FindJobStatusParams;
  result: FindJobStatusResult;
}

const findJobStatusIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":67,"b":70}]}],"statement":"SELECT status::job_status AS \"status!\" FROM job_records WHERE id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT status::job_status AS "status!" FROM job_records WHERE id = :id!
 * ```
 */
export const findJobStatus = new PreparedQuery<FindJobStatusParams,FindJobStatusResult>(findJobStatusIR);


