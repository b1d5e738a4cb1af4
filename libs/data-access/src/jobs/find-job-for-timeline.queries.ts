/** Types generated for queries found in "libs/data-access/src/jobs/find-job-for-timeline.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'FindJobForTimeline' parameters type */
export interface FindJobForTimelineParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindJobForTimeline' return type */
export interface FindJobForTimelineResult {
  completed_at: string | null;
  created_at: string;
  created_by: string | null;
  dependencies_met: boolean | null;
  expires_at: string | null;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  now: string;
  parent_job_id: string | null;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
  traceparent: string | null;
  workflow_id: string | null;
}

/** 'FindJobForTimeline' query type */
export interface FindJobForTimelineQuery {
  params: FindJobForTimelineParams;
  result: FindJobForTimelineResult;
}

const findJobForTimelineIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":533,"b":548}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":551,"b":554}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":557,"b":563}]}],"statement":"-- What a timeline says of its job, and the database's time.\n-- :queues that the caller may access, null = all.\nSELECT\n  id AS \"id!\", queue_name AS \"queue_name!\", job_type AS \"job_type!\", status::job_status AS \"status!\", priority AS \"priority!\",\n  retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", last_error, created_at AS \"created_at!\", scheduled_at, started_at,\n  completed_at, expires_at, parent_job_id, workflow_id, dependencies_met, traceparent, created_by, current_ts(clock_timestamp()) AS \"now!\"\nFROM find_job_v1(:organizationId!, :id!, :queues)"};

/**
 * Query generated from SQL:
 * ```
 * -- What a timeline says of its job, and the database's time.
 * -- :queues that the caller may access, null = all.
 * SELECT
 *   id AS "id!", queue_name AS "queue_name!", job_type AS "job_type!", status::job_status AS "status!", priority AS "priority!",
 *   retry_count AS "retry_count!", max_retries AS "max_retries!", last_error, created_at AS "created_at!", scheduled_at, started_at,
 *   completed_at, expires_at, parent_job_id, workflow_id, dependencies_met, traceparent, created_by, current_ts(clock_timestamp()) AS "now!"
 * FROM find_job_v1(:organizationId!, :id!, :queues)
 * ```
 */
export const findJobForTimeline = new PreparedQuery<FindJobForTimelineParams,FindJobForTimelineResult>(findJobForTimelineIR);


