/** Types generated for queries found in "libs/data-access/src/jobs/list-relatives.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'ListRelatives' parameters type */
export interface ListRelativesParams {
  id: string;
  limit: number;
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListRelatives' return type */
export interface ListRelativesResult {
  direction: string;
  job_id: string;
  queue_name: string;
  status: job_status;
  total: number;
}

/** 'ListRelatives' query type */
export interface ListRelativesQuery {
  params: ListRelativesParams;
  result: ListRelativesResult;
}

const listRelativesIR: any = {"usedParamSet":{"organizationId":true,"id":true,"most":true,"queues":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":406,"b":421},{"a":552,"b":567},{"a":818,"b":833}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":436,"b":439},{"a":593,"b":596}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":447,"b":452},{"a":604,"b":609}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":868,"b":874}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1103,"b":1109}]}],"statement":"-- Parents (direction 'up') and children ('down') of a job, oldest edge first, at most :limit of each, with the number of all of them in\n-- :queues (null = all), counted up to :most.\n-- Relies on the primary key of job_dependencies and job_dependencies_parent.\nWITH edges AS MATERIALIZED (\n  (SELECT 'up' AS direction, depends_on_job_id AS other, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id! LIMIT :most!)\n  UNION ALL\n  (SELECT 'down', job_id, created_at\n  FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id! LIMIT :most!)\n), visible AS (\n  SELECT e.direction, r.id, r.queue_name, r.status, count(*) OVER side AS total,\n    row_number() OVER (side ORDER BY e.created_at, r.id) AS number\n  FROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), :queues) r ON r.id = e.other\n  WINDOW side AS (PARTITION BY e.direction)\n)\nSELECT direction AS \"direction!\", id AS \"job_id!\", queue_name AS \"queue_name!\", status::job_status AS \"status!\", total AS \"total!\"\nFROM visible WHERE number <= :limit! ORDER BY direction, number"};

/**
 * Query generated from SQL:
 * ```
 * -- Parents (direction 'up') and children ('down') of a job, oldest edge first, at most :limit of each, with the number of all of them in
 * -- :queues (null = all), counted up to :most.
 * -- Relies on the primary key of job_dependencies and job_dependencies_parent.
 * WITH edges AS MATERIALIZED (
 *   (SELECT 'up' AS direction, depends_on_job_id AS other, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND job_id = :id! LIMIT :most!)
 *   UNION ALL
 *   (SELECT 'down', job_id, created_at
 *   FROM job_dependencies WHERE organization_id = :organizationId! AND depends_on_job_id = :id! LIMIT :most!)
 * ), visible AS (
 *   SELECT e.direction, r.id, r.queue_name, r.status, count(*) OVER side AS total,
 *     row_number() OVER (side ORDER BY e.created_at, r.id) AS number
 *   FROM edges e JOIN find_job_summaries_v1(:organizationId!, ARRAY(SELECT other FROM edges), :queues) r ON r.id = e.other
 *   WINDOW side AS (PARTITION BY e.direction)
 * )
 * SELECT direction AS "direction!", id AS "job_id!", queue_name AS "queue_name!", status::job_status AS "status!", total AS "total!"
 * FROM visible WHERE number <= :limit! ORDER BY direction, number
 * ```
 */
export const listRelatives = new PreparedQuery<ListRelativesParams,ListRelativesResult>(listRelativesIR);


