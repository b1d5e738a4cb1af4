/** Types generated for queries found in "libs/data-access/src/jobs/list-dependencies.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'ListDependencies' parameters type */
export interface ListDependenciesParams {
  id: string;
  organizationId: string;
}

/** 'ListDependencies' return type */
export interface ListDependenciesResult {
  direction: string;
  job_id: string;
  queue_name: string;
  status: job_status;
}

/** 'ListDependencies' query type */
export interface ListDependenciesQuery {
  params: ListDependenciesParams;
  result: ListDependenciesResult;
}

const listDependenciesIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":337,"b":352},{"a":468,"b":483},{"a":676,"b":691}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":367,"b":370},{"a":509,"b":512}]}],"statement":"-- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.\n-- Relies on the primary key of job_dependencies and job_dependencies_parent.\nWITH edges AS MATERIALIZED (\n  SELECT 'up' AS direction, depends_on_job_id AS other, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!\n  UNION ALL\n  SELECT 'down', job_id, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!\n)\nSELECT e.direction AS \"direction!\", r.id AS \"job_id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\"\nFROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), NULL) r ON r.id = e.other\nORDER BY e.direction, e.created_at, r.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.
 * -- Relies on the primary key of job_dependencies and job_dependencies_parent.
 * WITH edges AS MATERIALIZED (
 *   SELECT 'up' AS direction, depends_on_job_id AS other, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!
 *   UNION ALL
 *   SELECT 'down', job_id, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!
 * )
 * SELECT e.direction AS "direction!", r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
 * FROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), NULL) r ON r.id = e.other
 * ORDER BY e.direction, e.created_at, r.id
 * ```
 */
export const listDependencies = new PreparedQuery<ListDependenciesParams,ListDependenciesResult>(listDependenciesIR);


