/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'ListJobs' parameters type */
export interface ListJobsParams {
  ids: stringArray;
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

const listJobsIR: any = {"usedParamSet":{"organizationId":true,"ids":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":403,"b":418}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":421,"b":425},{"a":458,"b":462}]}],"statement":"-- Summaries of the jobs :ids, in this order. Payloads are not read.\nSELECT\n  id AS \"id!\", queue_name AS \"queue_name!\", status::job_status AS \"status!\", priority AS \"priority!\", retry_count AS \"attempt!\",\n  retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", job_type AS \"job_type!\", last_error, created_at AS \"created_at!\",\n  scheduled_at, started_at, completed_at\nFROM find_job_summaries_v1(:organizationId!, :ids!, NULL)\nORDER BY array_position(:ids!::uuid[], id)"};

/**
 * Query generated from SQL:
 * ```
 * -- Summaries of the jobs :ids, in this order. Payloads are not read.
 * SELECT
 *   id AS "id!", queue_name AS "queue_name!", status::job_status AS "status!", priority AS "priority!", retry_count AS "attempt!",
 *   retry_count AS "retry_count!", max_retries AS "max_retries!", job_type AS "job_type!", last_error, created_at AS "created_at!",
 *   scheduled_at, started_at, completed_at
 * FROM find_job_summaries_v1(:organizationId!, :ids!, NULL)
 * ORDER BY array_position(:ids!::uuid[], id)
 * ```
 */
export const listJobs = new PreparedQuery<ListJobsParams,ListJobsResult>(listJobsIR);


/** 'SortJobs' parameters type */
export interface SortJobsParams {
  ascending: boolean;
  ids: stringArray;
  limit: number;
  offset: number;
  orderBy: string;
  organizationId: string;
}

/** 'SortJobs' return type */
export interface SortJobsResult {
  id: string;
}

/** 'SortJobs' query type */
export interface SortJobsQuery {
  params: SortJobsParams;
  result: SortJobsResult;
}

const sortJobsIR: any = {"usedParamSet":{"ids":true,"organizationId":true,"orderBy":true,"ascending":true,"limit":true,"offset":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":236,"b":240}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":327,"b":342}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":383,"b":391},{"a":491,"b":499},{"a":559,"b":567}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":640,"b":650},{"a":695,"b":705},{"a":753,"b":763},{"a":801,"b":811},{"a":852,"b":862},{"a":898,"b":908},{"a":947,"b":957},{"a":988,"b":998}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1025,"b":1031}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1040,"b":1047}]}],"statement":"-- Those of the jobs :ids that are on a page of a list in another order than by creation: from :offset, up to :limit. A join, because for\n-- thousands of jobs it costs half as much as a look-up of each.\nSELECT r.id AS \"id!\"\nFROM unnest(:ids!::uuid[]) AS found (id)\nJOIN job_records r ON r.id = found.id AND r.organization_id = :organizationId!\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Those of the jobs :ids that are on a page of a list in another order than by creation: from :offset, up to :limit. A join, because for
 * -- thousands of jobs it costs half as much as a look-up of each.
 * SELECT r.id AS "id!"
 * FROM unnest(:ids!::uuid[]) AS found (id)
 * JOIN job_records r ON r.id = found.id AND r.organization_id = :organizationId!
 * CROSS JOIN LATERAL (
 *   SELECT
 *     CASE :orderBy! WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,
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
export const sortJobs = new PreparedQuery<SortJobsParams,SortJobsResult>(sortJobsIR);


