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

const listDependenciesIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":463,"b":478},{"a":594,"b":609},{"a":711,"b":726}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":493,"b":496},{"a":635,"b":638}]}],"statement":"-- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.\n-- Relies on the primary key of job_dependencies, job_dependencies_parent and the primary key of jobs.\nSELECT edge.direction AS \"direction!\", r.id AS \"job_id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\"\nFROM (\n  SELECT 'up' AS direction, depends_on_job_id AS other, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!\n  UNION ALL\n  SELECT 'down', job_id, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!\n) edge\nJOIN job_records r ON r.id = edge.other AND r.organization_id = :organizationId!\nORDER BY edge.direction, edge.created_at, r.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The parents of a job (direction 'up') and its dependents ('down'), oldest edge first. Deleted jobs are omitted.
 * -- Relies on the primary key of job_dependencies, job_dependencies_parent and the primary key of jobs.
 * SELECT edge.direction AS "direction!", r.id AS "job_id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!"
 * FROM (
 *   SELECT 'up' AS direction, depends_on_job_id AS other, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id!
 *   UNION ALL
 *   SELECT 'down', job_id, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id!
 * ) edge
 * JOIN job_records r ON r.id = edge.other AND r.organization_id = :organizationId!
 * ORDER BY edge.direction, edge.created_at, r.id
 * ```
 */
export const listDependencies = new PreparedQuery<ListDependenciesParams,ListDependenciesResult>(listDependenciesIR);


