/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'ListJobs' parameters type */
export interface ListJobsParams {
  ascending: boolean;
  ids: stringArray;
  limit: number;
  offset: number;
  orderBy: string;
  organizationId: string;
}

/** 'ListJobs' return type */
export interface ListJobsResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
}

/** 'ListJobs' query type */
export interface ListJobsQuery {
  params: ListJobsParams;
  result: ListJobsResult;
}

const listJobsIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"orderBy":true,"ascending":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":465,"b":480}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":483,"b":487}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":537,"b":545},{"a":681,"b":689},{"a":749,"b":757}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":830,"b":840},{"a":885,"b":895},{"a":943,"b":953},{"a":991,"b":1001},{"a":1042,"b":1052},{"a":1088,"b":1098},{"a":1137,"b":1147},{"a":1178,"b":1188}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1215,"b":1221}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1230,"b":1237}]}],"statement":"-- Summaries of the jobs :ids in the order of a list, from :offset, up to :limit. Payloads are not read.\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM find_job_summaries_v1(:organizationId!, :ids!, NULL) r\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Summaries of the jobs :ids in the order of a list, from :offset, up to :limit. Payloads are not read.
 * SELECT
 *   r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
 *   r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
 *   r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
 * FROM find_job_summaries_v1(:organizationId!, :ids!, NULL) r
 * CROSS JOIN LATERAL (
 *   SELECT
 *     CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,
 *     CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,
 *     CASE :orderBy! WHEN 'status' THEN r.status END AS status
 * ) AS by
 * ORDER BY
 *   CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,
 *   CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,
 *   CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,
 *   CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listJobs = new PreparedQuery<ListJobsParams,ListJobsResult>(listJobsIR);


