/** Types generated for queries found in "libs/data-access/src/gauges/measure-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MeasureQueues' parameters type */
export interface MeasureQueuesParams {
  perOrganization: number;
  total: number;
}

/** 'MeasureQueues' return type */
export interface MeasureQueuesResult {
  max_age_seconds: number;
  organization: string;
  pending: number;
  processing: number;
  queue: string;
}

/** 'MeasureQueues' query type */
export interface MeasureQueuesQuery {
  params: MeasureQueuesParams;
  result: MeasureQueuesResult;
}

const measureQueuesIR: any = {"usedParamSet":{"perOrganization":true,"total":true},"params":[{"name":"perOrganization","required":true,"transform":{"type":"scalar"},"locs":[{"a":927,"b":943}]},{"name":"total","required":true,"transform":{"type":"scalar"},"locs":[{"a":1007,"b":1013}]}],"statement":"-- The queues of each organization with the most waiting jobs, for autoscaling.\n-- :perOrganization, :total bound the number of rows.\n-- Scans job_queue once, which contains only live jobs.\nWITH counted AS (\n  SELECT organization_id, queue_name,\n    count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,\n    count(*) FILTER (WHERE state = 'leased') AS processing,\n    min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest\n  FROM job_queue GROUP BY organization_id, queue_name\n), ranked AS (\n  SELECT c.*, row_number() OVER (PARTITION BY organization_id ORDER BY pending DESC, queue_name) AS place FROM counted c\n)\nSELECT\n  organization_id AS \"organization!\", queue_name AS \"queue!\", pending AS \"pending!\", processing AS \"processing!\",\n  coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0)::double precision AS \"max_age_seconds!\"\nFROM ranked WHERE place <= :perOrganization!::int\nORDER BY pending DESC, organization_id, queue_name LIMIT :total!::int"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues of each organization with the most waiting jobs, for autoscaling.
 * -- :perOrganization, :total bound the number of rows.
 * -- Scans job_queue once, which contains only live jobs.
 * WITH counted AS (
 *   SELECT organization_id, queue_name,
 *     count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,
 *     count(*) FILTER (WHERE state = 'leased') AS processing,
 *     min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest
 *   FROM job_queue GROUP BY organization_id, queue_name
 * ), ranked AS (
 *   SELECT c.*, row_number() OVER (PARTITION BY organization_id ORDER BY pending DESC, queue_name) AS place FROM counted c
 * )
 * SELECT
 *   organization_id AS "organization!", queue_name AS "queue!", pending AS "pending!", processing AS "processing!",
 *   coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0)::double precision AS "max_age_seconds!"
 * FROM ranked WHERE place <= :perOrganization!::int
 * ORDER BY pending DESC, organization_id, queue_name LIMIT :total!::int
 * ```
 */
export const measureQueues = new PreparedQuery<MeasureQueuesParams,MeasureQueuesResult>(measureQueuesIR);


