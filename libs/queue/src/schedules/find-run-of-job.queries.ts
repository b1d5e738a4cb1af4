/** Types generated for queries found in "libs/queue/src/schedules/find-run-of-job.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindRunOfJob' parameters type */
export interface FindRunOfJobParams {
  jobId: string;
  organizationId: string;
  scheduleId: string;
}

/** 'FindRunOfJob' return type */
export interface FindRunOfJobResult {
  started_at: string;
}

/** 'FindRunOfJob' query type */
export interface FindRunOfJobQuery {
  params: FindRunOfJobParams;
  result: FindRunOfJobResult;
}

const findRunOfJobIR: any = {"usedParamSet":{"organizationId":true,"scheduleId":true,"jobId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":61,"b":76}]},{"name":"scheduleId","required":true,"transform":{"type":"scalar"},"locs":[{"a":96,"b":107}]},{"name":"jobId","required":true,"transform":{"type":"scalar"},"locs":[{"a":122,"b":128}]}],"statement":"SELECT started_at FROM schedule_runs\nWHERE organization_id = :organizationId! AND schedule_id = :scheduleId! AND job_id = :jobId!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT started_at FROM schedule_runs
 * WHERE organization_id = :organizationId! AND schedule_id = :scheduleId! AND job_id = :jobId!
 * ```
 */
export const findRunOfJob = new PreparedQuery<FindRunOfJobParams,FindRunOfJobResult>(findRunOfJobIR);


