/** Types generated for queries found in "libs/queue/src/workers/deregister-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'DeregisterWorker' parameters type */
export interface DeregisterWorkerParams {
  id: string;
  issuedAt?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'DeregisterWorker' return type */
export interface DeregisterWorkerResult {
  now: string;
  queue_name: string;
}

/** 'DeregisterWorker' query type */
export interface DeregisterWorkerQuery {
  params: DeregisterWorkerParams;
  result: DeregisterWorkerResult;
}

const deregisterWorkerIR: any = {"usedParamSet":{"issuedAt":true,"organizationId":true,"id":true,"queues":true},"params":[{"name":"issuedAt","required":false,"transform":{"type":"scalar"},"locs":[{"a":394,"b":402},{"a":493,"b":501}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":585,"b":600}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":611,"b":614}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":621,"b":627},{"a":666,"b":672}]}],"statement":"-- Marks a worker offline; none when it is unknown. Its leases run on: with an id of its own choice, a successor process may hold jobs\n-- under the same id already.\n-- :queues that the key may touch, null = all; :issuedAt the moment of the request, or null: a worker that has registered or sent a\n-- heartbeat since then stays as it is.\nUPDATE workers SET\n  status = CASE WHEN last_heartbeat > :issuedAt::timestamptz THEN status ELSE 'offline' END,\n  current_jobs = CASE WHEN last_heartbeat > :issuedAt THEN current_jobs ELSE 0 END,\n  updated_at = current_ts()\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\nRETURNING queue_name, current_ts() AS \"now!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Marks a worker offline; none when it is unknown. Its leases run on: with an id of its own choice, a successor process may hold jobs
 * -- under the same id already.
 * -- :queues that the key may touch, null = all; :issuedAt the moment of the request, or null: a worker that has registered or sent a
 * -- heartbeat since then stays as it is.
 * UPDATE workers SET
 *   status = CASE WHEN last_heartbeat > :issuedAt::timestamptz THEN status ELSE 'offline' END,
 *   current_jobs = CASE WHEN last_heartbeat > :issuedAt THEN current_jobs ELSE 0 END,
 *   updated_at = current_ts()
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * RETURNING queue_name, current_ts() AS "now!"
 * ```
 */
export const deregisterWorker = new PreparedQuery<DeregisterWorkerParams,DeregisterWorkerResult>(deregisterWorkerIR);


