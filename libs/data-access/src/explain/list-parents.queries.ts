/** Types generated for queries found in "libs/data-access/src/explain/list-parents.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'ListParents' parameters type */
export interface ListParentsParams {
  id: string;
  limit: number;
  organizationId: string;
}

/** 'ListParents' return type */
export interface ListParentsResult {
  job_id: string;
  queue_name: string;
  status: job_status;
}

/** 'ListParents' query type */
export interface ListParentsQuery {
  params: ListParentsParams;
  result: ListParentsResult;
}

const listParentsIR: any = {"usedParamSet":{"organizationId":true,"id":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":280,"b":295},{"a":503,"b":518}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":310,"b":313}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":364,"b":370}]}],"statement":"-- The parents of a job, oldest edge first, at most :limit. Deleted jobs are omitted, because they block nothing.\n-- Relies on the primary key of job_dependencies.\nWITH edges AS MATERIALIZED (\n  SELECT depends_on_job_id, created_at FROM job_dependencies\n  WHERE organization_id = :organizationId! AND job_id = :id!\n  ORDER BY created_at, depends_on_job_id\n  LIMIT :limit!\n)\nSELECT r.id AS \"job_id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\"\nFROM edges\nJOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT depends_on_job_id FROM edges), NULL) r ON r.id = edges.depends_on_job_id\nORDER BY edges.created_at, r.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The parents of a job, oldest edge first, at most :limit. Deleted jobs are omitted, because they block nothing.
 * -- Relies on the primary key of job_dependencies.
 * WITH edges AS MATERIALIZED (
 *   SELECT depends_on_job_id, created_at FROM job_dependencies
 *   WHERE organization_id = :organizationId! AND job_id = :id!
 *   ORDER BY created_at, depends_on_job_id
 *   LIMIT :limit!
 * )
 * SELECT r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
 * FROM edges
 * JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT depends_on_job_id FROM edges), NULL) r ON r.id = edges.depends_on_job_id
 * ORDER BY edges.created_at, r.id
 * ```
 */
export const listParents = new PreparedQuery<ListParentsParams,ListParentsResult>(listParentsIR);


