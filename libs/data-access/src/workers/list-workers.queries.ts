/** Types generated for queries found in "libs/data-access/src/workers/list-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListWorkers' parameters type */
export interface ListWorkersParams {
  afterId?: string | null | void;
  byId: boolean;
  limit: number;
  offset: number;
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

const listWorkersIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"afterId":true,"byId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":457,"b":472}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":479,"b":485},{"a":524,"b":530}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":541,"b":548},{"a":572,"b":579}]},{"name":"byId","required":true,"transform":{"type":"scalar"},"locs":[{"a":605,"b":610}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":651,"b":657}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":666,"b":673}]}],"statement":"-- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat\n-- arrives between them.\n-- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.\n-- Relies on workers_organization, or on the primary key.\nSELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat\nFROM workers\nWHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  AND (:afterId::text IS NULL OR id > :afterId)\nORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat
 * -- arrives between them.
 * -- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.
 * -- Relies on workers_organization, or on the primary key.
 * SELECT id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat
 * FROM workers
 * WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   AND (:afterId::text IS NULL OR id > :afterId)
 * ORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listWorkers = new PreparedQuery<ListWorkersParams,ListWorkersResult>(listWorkersIR);


