/** Types generated for queries found in "libs/queue/src/workers/register-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'LockWorkers' parameters type */
export interface LockWorkersParams {
  organizationId: string;
}

/** 'LockWorkers' return type */
export interface LockWorkersResult {
  done: undefined | null;
}

/** 'LockWorkers' query type */
export interface LockWorkersQuery {
  params: LockWorkersParams;
  result: LockWorkersResult;
}

const lockWorkersIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":144,"b":159}]}],"statement":"-- Registrations of an organization wait for each other until the transaction ends.\nSELECT pg_advisory_xact_lock(hashtextextended('workers:' || :organizationId!::text, 0)) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Registrations of an organization wait for each other until the transaction ends.
 * SELECT pg_advisory_xact_lock(hashtextextended('workers:' || :organizationId!::text, 0)) AS done
 * ```
 */
export const lockWorkers = new PreparedQuery<LockWorkersParams,LockWorkersResult>(lockWorkersIR);


/** 'RegisterWorker' parameters type */
export interface RegisterWorkerParams {
  hostname: string;
  id: string;
  maxConcurrency: number;
  maxWorkers?: number | null | void;
  metadata: string;
  organizationId: string;
  queueName: string;
  queues?: stringArray | null | void;
  version?: string | null | void;
  workerType?: string | null | void;
}

/** 'RegisterWorker' return type */
export interface RegisterWorkerResult {
  alive: number;
  id: string | null;
  now: string;
  taken: boolean;
}

/** 'RegisterWorker' query type */
export interface RegisterWorkerQuery {
  params: RegisterWorkerParams;
  result: RegisterWorkerResult;
}

const registerWorkerIR: any = {"usedParamSet":{"id":true,"queues":true,"organizationId":true,"queueName":true,"hostname":true,"workerType":true,"maxConcurrency":true,"metadata":true,"version":true,"maxWorkers":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":404,"b":407},{"a":447,"b":450},{"a":537,"b":540},{"a":799,"b":802}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":565,"b":571}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":639,"b":654},{"a":805,"b":820}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":823,"b":833}]},{"name":"hostname","required":true,"transform":{"type":"scalar"},"locs":[{"a":836,"b":845}]},{"name":"workerType","required":false,"transform":{"type":"scalar"},"locs":[{"a":848,"b":858}]},{"name":"maxConcurrency","required":true,"transform":{"type":"scalar"},"locs":[{"a":861,"b":876}]},{"name":"metadata","required":true,"transform":{"type":"scalar"},"locs":[{"a":879,"b":888}]},{"name":"version","required":false,"transform":{"type":"scalar"},"locs":[{"a":898,"b":905}]},{"name":"maxWorkers","required":false,"transform":{"type":"scalar"},"locs":[{"a":964,"b":974},{"a":1011,"b":1021}]}],"statement":"-- Registers a worker unless the plan's cap is full; registering an id again is free while that worker counts already. `id` null:\n-- refused, because the id is that of a worker outside the key's queues (taken), or else by the cap.\n-- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.\nWITH alive AS (\n  SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded') AND id <> :id!) AS others,\n    coalesce(bool_or(id = :id! AND status IN ('healthy', 'degraded')), false) AS counted,\n    coalesce(bool_or(id = :id! AND queue_name <> ALL (:queues::text[])), false) AS taken\n  FROM workers WHERE organization_id = :organizationId!\n), registered AS (\n  INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)\n  SELECT :id!, :organizationId!, :queueName!, :hostname!, :workerType, :maxConcurrency!, :metadata!::jsonb, :version FROM alive\n  WHERE NOT alive.taken AND (alive.counted OR :maxWorkers::integer IS NULL OR alive.others < :maxWorkers)\n  ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,\n    worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,\n    version = excluded.version, status = 'healthy', drain_requested_at = NULL,\n    last_heartbeat = current_ts(), updated_at = current_ts()\n  RETURNING id\n)\nSELECT (SELECT id FROM registered) AS id, alive.others AS \"alive!\", alive.taken AS \"taken!\", current_ts() AS \"now!\" FROM alive"};

/**
 * Query generated from SQL:
 * ```
 * -- Registers a worker unless the plan's cap is full; registering an id again is free while that worker counts already. `id` null:
 * -- refused, because the id is that of a worker outside the key's queues (taken), or else by the cap.
 * -- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.
 * WITH alive AS (
 *   SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded') AND id <> :id!) AS others,
 *     coalesce(bool_or(id = :id! AND status IN ('healthy', 'degraded')), false) AS counted,
 *     coalesce(bool_or(id = :id! AND queue_name <> ALL (:queues::text[])), false) AS taken
 *   FROM workers WHERE organization_id = :organizationId!
 * ), registered AS (
 *   INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)
 *   SELECT :id!, :organizationId!, :queueName!, :hostname!, :workerType, :maxConcurrency!, :metadata!::jsonb, :version FROM alive
 *   WHERE NOT alive.taken AND (alive.counted OR :maxWorkers::integer IS NULL OR alive.others < :maxWorkers)
 *   ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,
 *     worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,
 *     version = excluded.version, status = 'healthy', drain_requested_at = NULL,
 *     last_heartbeat = current_ts(), updated_at = current_ts()
 *   RETURNING id
 * )
 * SELECT (SELECT id FROM registered) AS id, alive.others AS "alive!", alive.taken AS "taken!", current_ts() AS "now!" FROM alive
 * ```
 */
export const registerWorker = new PreparedQuery<RegisterWorkerParams,RegisterWorkerResult>(registerWorkerIR);


