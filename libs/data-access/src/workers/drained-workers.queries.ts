/** Types generated for queries found in "libs/data-access/src/workers/drained-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListDrainedWorkers' parameters type */
export interface ListDrainedWorkersParams {
  limit: number;
}

/** 'ListDrainedWorkers' return type */
export interface ListDrainedWorkersResult {
  id: string;
  organization_id: string;
}

/** 'ListDrainedWorkers' query type */
export interface ListDrainedWorkersQuery {
  params: ListDrainedWorkersParams;
  result: ListDrainedWorkersResult;
}

const listDrainedWorkersIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":220,"b":226}]}],"statement":"-- Workers of all organizations that were told to drain. Relies on workers_drained.\nSELECT organization_id, id FROM workers WHERE status = 'draining' AND drain_requested_at IS NOT NULL\nORDER BY organization_id, id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- Workers of all organizations that were told to drain. Relies on workers_drained.
 * SELECT organization_id, id FROM workers WHERE status = 'draining' AND drain_requested_at IS NOT NULL
 * ORDER BY organization_id, id LIMIT :limit!
 * ```
 */
export const listDrainedWorkers = new PreparedQuery<ListDrainedWorkersParams,ListDrainedWorkersResult>(listDrainedWorkersIR);


