/** Types generated for queries found in "libs/data-access/src/workers/list-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListWorkers' parameters type */
export interface ListWorkersParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListWorkers' return type */
export interface ListWorkersResult {
  current_jobs: number;
  hostname: string;
  id: string;
  last_heartbeat: string;
  max_concurrency: number;
  queue_name: string;
  status: string;
}

/** 'ListWorkers' query type */
export interface ListWorkersQuery {
  params: ListWorkersParams;
  result: ListWorkersResult;
}

const listWorkersIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":269,"b":284}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":291,"b":297},{"a":336,"b":342}]}],"statement":"-- The organization's workers, the latest heartbeat first.\n-- :queues that the caller may access, null = all.\n-- Relies on workers_organization.\nSELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat\nFROM workers\nWHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\nORDER BY last_heartbeat DESC, id\nLIMIT 100"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's workers, the latest heartbeat first.
 * -- :queues that the caller may access, null = all.
 * -- Relies on workers_organization.
 * SELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat
 * FROM workers
 * WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ORDER BY last_heartbeat DESC, id
 * LIMIT 100
 * ```
 */
export const listWorkers = new PreparedQuery<ListWorkersParams,ListWorkersResult>(listWorkersIR);


