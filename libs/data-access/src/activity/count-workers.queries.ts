/** Types generated for queries found in "libs/data-access/src/activity/count-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'CountWorkers' parameters type */
export interface CountWorkersParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'CountWorkers' return type */
export interface CountWorkersResult {
  healthy: number;
  offline: number;
  total: number;
  unhealthy: number;
}

/** 'CountWorkers' query type */
export interface CountWorkersQuery {
  params: CountWorkersParams;
  result: CountWorkersResult;
}

const countWorkersIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":377,"b":392}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":399,"b":405},{"a":444,"b":450}]}],"statement":"-- The organization's workers; those that are offline count as unhealthy, until retention deletes them.\n-- :queues null = all.\nSELECT\n  count(*) AS \"total!\",\n  count(*) FILTER (WHERE status = 'healthy') AS \"healthy!\",\n  count(*) FILTER (WHERE status <> 'healthy') AS \"unhealthy!\",\n  count(*) FILTER (WHERE status = 'offline') AS \"offline!\"\nFROM workers\nWHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's workers; those that are offline count as unhealthy, until retention deletes them.
 * -- :queues null = all.
 * SELECT
 *   count(*) AS "total!",
 *   count(*) FILTER (WHERE status = 'healthy') AS "healthy!",
 *   count(*) FILTER (WHERE status <> 'healthy') AS "unhealthy!",
 *   count(*) FILTER (WHERE status = 'offline') AS "offline!"
 * FROM workers
 * WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ```
 */
export const countWorkers = new PreparedQuery<CountWorkersParams,CountWorkersResult>(countWorkersIR);


