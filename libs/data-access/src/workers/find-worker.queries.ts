/** Types generated for queries found in "libs/data-access/src/workers/find-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindWorker' parameters type */
export interface FindWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindWorker' return type */
export interface FindWorkerResult {
  current_jobs: number;
  hostname: string;
  id: string;
  last_heartbeat: string;
  max_concurrency: number;
  metadata: string;
  organization_id: string;
  queue_name: string;
  registered_at: string;
  status: string;
  updated_at: string;
  version: string | null;
  worker_type: string | null;
}

/** 'FindWorker' query type */
export interface FindWorkerQuery {
  params: FindWorkerParams;
  result: FindWorkerResult;
}

const findWorkerIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":291,"b":306}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":317,"b":320}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":327,"b":333},{"a":372,"b":378}]}],"statement":"-- One worker.\n-- :queues that the caller may access, null = all.\nSELECT\n  id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS \"metadata!\",\n  version, registered_at, updated_at\nFROM workers\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))"};

/**
 * Query generated from SQL:
 * ```
 * -- One worker.
 * -- :queues that the caller may access, null = all.
 * SELECT
 *   id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS "metadata!",
 *   version, registered_at, updated_at
 * FROM workers
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ```
 */
export const findWorker = new PreparedQuery<FindWorkerParams,FindWorkerResult>(findWorkerIR);


