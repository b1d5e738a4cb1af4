/** Types generated for queries found in "libs/queue/src/operations/live-job-operations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'HasMoreLiveJobs' parameters type */
export interface HasMoreLiveJobsParams {
  createdUntil: string;
  filter: string;
  organizationId: string;
}

/** 'HasMoreLiveJobs' return type */
export interface HasMoreLiveJobsResult {
  more: boolean;
}

/** 'HasMoreLiveJobs' query type */
export interface HasMoreLiveJobsQuery {
  params: HasMoreLiveJobsParams;
  result: HasMoreLiveJobsResult;
}

const hasMoreLiveJobsIR: any = {"usedParamSet":{"organizationId":true,"filter":true,"createdUntil":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":105,"b":120}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":123,"b":130}]},{"name":"createdUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":133,"b":146}]}],"statement":"-- Whether any is left, also of those that others hold.\nSELECT EXISTS (SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!)) AS \"more!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Whether any is left, also of those that others hold.
 * SELECT EXISTS (SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!)) AS "more!"
 * ```
 */
export const hasMoreLiveJobs = new PreparedQuery<HasMoreLiveJobsParams,HasMoreLiveJobsResult>(hasMoreLiveJobsIR);


/** 'TakeLiveJobs' parameters type */
export interface TakeLiveJobsParams {
  createdUntil: string;
  filter: string;
  limit: number;
  organizationId: string;
}

/** 'TakeLiveJobs' return type */
export interface TakeLiveJobsResult {
  job_id: string;
}

/** 'TakeLiveJobs' query type */
export interface TakeLiveJobsQuery {
  params: TakeLiveJobsParams;
  result: TakeLiveJobsResult;
}

const takeLiveJobsIR: any = {"usedParamSet":{"organizationId":true,"filter":true,"createdUntil":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":180,"b":195},{"a":293,"b":308}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":311,"b":318}]},{"name":"createdUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":321,"b":334}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":345,"b":351}]}],"statement":"-- Locks the next live jobs of an operation, without those that others hold. :createdUntil as for matching_live_jobs_v1.\nSELECT q.job_id FROM job_queue q\nWHERE q.organization_id = :organizationId! AND q.state <> 'leased' AND q.job_id = ANY (ARRAY(\n  SELECT m.job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!) m LIMIT :limit!))\nFOR UPDATE SKIP LOCKED"};

/**
 * Query generated from SQL:
 * ```
 * -- Locks the next live jobs of an operation, without those that others hold. :createdUntil as for matching_live_jobs_v1.
 * SELECT q.job_id FROM job_queue q
 * WHERE q.organization_id = :organizationId! AND q.state <> 'leased' AND q.job_id = ANY (ARRAY(
 *   SELECT m.job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!) m LIMIT :limit!))
 * FOR UPDATE SKIP LOCKED
 * ```
 */
export const takeLiveJobs = new PreparedQuery<TakeLiveJobsParams,TakeLiveJobsResult>(takeLiveJobsIR);


