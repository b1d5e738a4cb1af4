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
  taken: boolean;
}

/** 'RegisterWorker' query type */
export interface RegisterWorkerQuery {
  params: RegisterWorkerParams;
  result: RegisterWorkerResult;
}

const registerWorkerIR: any = {"usedParamSet":{"id":true,"queues":true,"organizationId":true,"queueName":true,"hostname":true,"workerType":true,"maxConcurrency":true,"metadata":true,"version":true,"maxWorkers":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":398,"b":401},{"a":448,"b":451},{"a":710,"b":713}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":476,"b":482}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":550,"b":565},{"a":716,"b":731}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":734,"b":744}]},{"name":"hostname","required":true,"transform":{"type":"scalar"},"locs":[{"a":747,"b":756}]},{"name":"workerType","required":false,"transform":{"type":"scalar"},"locs":[{"a":759,"b":769}]},{"name":"maxConcurrency","required":true,"transform":{"type":"scalar"},"locs":[{"a":772,"b":787}]},{"name":"metadata","required":true,"transform":{"type":"scalar"},"locs":[{"a":790,"b":799}]},{"name":"version","required":false,"transform":{"type":"scalar"},"locs":[{"a":809,"b":816}]},{"name":"maxWorkers","required":false,"transform":{"type":"scalar"},"locs":[{"a":873,"b":883},{"a":915,"b":925}]}],"statement":"-- Registers a worker unless the plan's cap is full; registering an own id again is free. `id` null: refused, because the id is that of\n-- a worker outside the key's queues (taken), or else by the cap.\n-- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.\nWITH alive AS (\n  SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded')) AS n,\n    coalesce(bool_or(id = :id!), false) AS known,\n    coalesce(bool_or(id = :id! AND queue_name <> ALL (:queues::text[])), false) AS taken\n  FROM workers WHERE organization_id = :organizationId!\n), registered AS (\n  INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)\n  SELECT :id!, :organizationId!, :queueName!, :hostname!, :workerType, :maxConcurrency!, :metadata!::jsonb, :version FROM alive\n  WHERE NOT alive.taken AND (alive.known OR :maxWorkers::integer IS NULL OR alive.n < :maxWorkers)\n  ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,\n    worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,\n    version = excluded.version, status = 'healthy', last_heartbeat = now(), updated_at = now()\n  RETURNING id\n)\nSELECT (SELECT id FROM registered) AS id, alive.n AS \"alive!\", alive.taken AS \"taken!\" FROM alive"};

/**
 * Query generated from SQL:
 * ```
 * -- Registers a worker unless the plan's cap is full; registering an own id again is free. `id` null: refused, because the id is that of
 * -- a worker outside the key's queues (taken), or else by the cap.
 * -- :maxWorkers the cap, null = none; :queues that the key may touch, null = all.
 * WITH alive AS (
 *   SELECT count(*) FILTER (WHERE status IN ('healthy', 'degraded')) AS n,
 *     coalesce(bool_or(id = :id!), false) AS known,
 *     coalesce(bool_or(id = :id! AND queue_name <> ALL (:queues::text[])), false) AS taken
 *   FROM workers WHERE organization_id = :organizationId!
 * ), registered AS (
 *   INSERT INTO workers (id, organization_id, queue_name, hostname, worker_type, max_concurrency, metadata, version)
 *   SELECT :id!, :organizationId!, :queueName!, :hostname!, :workerType, :maxConcurrency!, :metadata!::jsonb, :version FROM alive
 *   WHERE NOT alive.taken AND (alive.known OR :maxWorkers::integer IS NULL OR alive.n < :maxWorkers)
 *   ON CONFLICT (organization_id, id) DO UPDATE SET queue_name = excluded.queue_name, hostname = excluded.hostname,
 *     worker_type = excluded.worker_type, max_concurrency = excluded.max_concurrency, metadata = excluded.metadata,
 *     version = excluded.version, status = 'healthy', last_heartbeat = now(), updated_at = now()
 *   RETURNING id
 * )
 * SELECT (SELECT id FROM registered) AS id, alive.n AS "alive!", alive.taken AS "taken!" FROM alive
 * ```
 */
export const registerWorker = new PreparedQuery<RegisterWorkerParams,RegisterWorkerResult>(registerWorkerIR);


