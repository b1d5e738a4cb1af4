/** Types generated for queries found in "libs/queue/src/workers/drain-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'DrainWorker' parameters type */
export interface DrainWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'DrainWorker' return type */
export interface DrainWorkerResult {
  now: string;
  status: string;
  was_drained: boolean;
}

/** 'DrainWorker' query type */
export interface DrainWorkerQuery {
  params: DrainWorkerParams;
  result: DrainWorkerResult;
}

const drainWorkerIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":308,"b":323},{"a":584,"b":599}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":334,"b":337}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":344,"b":350},{"a":389,"b":395}]}],"statement":"-- Tells a worker to drain until it registers again; no row for an unknown one. An offline worker stays as it is.\n-- :queues that the key may touch, null = all.\nWITH before AS (\n  SELECT id, status, status = 'draining' AND drain_requested_at IS NOT NULL AS was_drained FROM workers\n  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  FOR NO KEY UPDATE\n), drained AS (\n  UPDATE workers w SET status = 'draining', drain_requested_at = current_ts(), updated_at = current_ts()\n  FROM before b\n  WHERE w.organization_id = :organizationId! AND w.id = b.id AND b.status <> 'offline' AND NOT b.was_drained\n)\nSELECT status AS \"status!\", was_drained AS \"was_drained!\", current_ts() AS \"now!\" FROM before"};

/**
 * Query generated from SQL:
 * ```
 * -- Tells a worker to drain until it registers again; no row for an unknown one. An offline worker stays as it is.
 * -- :queues that the key may touch, null = all.
 * WITH before AS (
 *   SELECT id, status, status = 'draining' AND drain_requested_at IS NOT NULL AS was_drained FROM workers
 *   WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   FOR NO KEY UPDATE
 * ), drained AS (
 *   UPDATE workers w SET status = 'draining', drain_requested_at = current_ts(), updated_at = current_ts()
 *   FROM before b
 *   WHERE w.organization_id = :organizationId! AND w.id = b.id AND b.status <> 'offline' AND NOT b.was_drained
 * )
 * SELECT status AS "status!", was_drained AS "was_drained!", current_ts() AS "now!" FROM before
 * ```
 */
export const drainWorker = new PreparedQuery<DrainWorkerParams,DrainWorkerResult>(drainWorkerIR);


