/** Types generated for queries found in "libs/queue/src/workers/record-heartbeat.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'RecordHeartbeat' parameters type */
export interface RecordHeartbeatParams {
  currentJobs: number;
  id: string;
  metadata?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  status?: string | null | void;
}

/** 'RecordHeartbeat' return type */
export interface RecordHeartbeatResult {
  now: string;
  status: string;
}

/** 'RecordHeartbeat' query type */
export interface RecordHeartbeatQuery {
  params: RecordHeartbeatParams;
  result: RecordHeartbeatResult;
}

const recordHeartbeatIR: any = {"usedParamSet":{"currentJobs":true,"status":true,"metadata":true,"organizationId":true,"id":true,"queues":true},"params":[{"name":"currentJobs","required":true,"transform":{"type":"scalar"},"locs":[{"a":462,"b":474}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":535,"b":541},{"a":592,"b":598},{"a":703,"b":709},{"a":990,"b":996}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":755,"b":763}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":869,"b":884}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":895,"b":898}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":905,"b":911},{"a":950,"b":956}]}],"statement":"-- A heartbeat that does not make the worker count against the plan's cap again; otherwise no row, as for an unknown worker.\n-- `draining` lasts until the worker registers again, or says that it is offline. A worker that was marked degraded for missed\n-- heartbeats (its row was updated after the last one) is healthy again.\n-- :status null = as before; :metadata null = as before; :queues that the key may touch, null = all.\nUPDATE workers SET\n  current_jobs = :currentJobs!,\n  status = CASE\n    WHEN status = 'draining' AND coalesce(:status::text, '') <> 'offline' THEN 'draining'\n    WHEN :status::text IS NULL AND status = 'degraded' AND updated_at > last_heartbeat THEN 'healthy'\n    ELSE coalesce(:status::text, status)\n  END,\n  metadata = coalesce(:metadata::jsonb, metadata),\n  last_heartbeat = current_ts(),\n  updated_at = current_ts()\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  AND (status <> 'offline' OR :status::text IN ('offline', 'draining'))\nRETURNING status, last_heartbeat AS now"};

/**
 * Query generated from SQL:
 * ```
 * -- A heartbeat that does not make the worker count against the plan's cap again; otherwise no row, as for an unknown worker.
 * -- `draining` lasts until the worker registers again, or says that it is offline. A worker that was marked degraded for missed
 * -- heartbeats (its row was updated after the last one) is healthy again.
 * -- :status null = as before; :metadata null = as before; :queues that the key may touch, null = all.
 * UPDATE workers SET
 *   current_jobs = :currentJobs!,
 *   status = CASE
 *     WHEN status = 'draining' AND coalesce(:status::text, '') <> 'offline' THEN 'draining'
 *     WHEN :status::text IS NULL AND status = 'degraded' AND updated_at > last_heartbeat THEN 'healthy'
 *     ELSE coalesce(:status::text, status)
 *   END,
 *   metadata = coalesce(:metadata::jsonb, metadata),
 *   last_heartbeat = current_ts(),
 *   updated_at = current_ts()
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   AND (status <> 'offline' OR :status::text IN ('offline', 'draining'))
 * RETURNING status, last_heartbeat AS now
 * ```
 */
export const recordHeartbeat = new PreparedQuery<RecordHeartbeatParams,RecordHeartbeatResult>(recordHeartbeatIR);


/** 'ReviveWorker' parameters type */
export interface ReviveWorkerParams {
  currentJobs: number;
  id: string;
  maxWorkers?: number | null | void;
  metadata?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  status?: string | null | void;
}

/** 'ReviveWorker' return type */
export interface ReviveWorkerResult {
  alive: number;
  known: boolean;
  now: string;
  status: string | null;
}

/** 'ReviveWorker' query type */
export interface ReviveWorkerQuery {
  params: ReviveWorkerParams;
  result: ReviveWorkerResult;
}

const reviveWorkerIR: any = {"usedParamSet":{"organizationId":true,"id":true,"currentJobs":true,"status":true,"metadata":true,"queues":true,"maxWorkers":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":444,"b":459},{"a":842,"b":857},{"a":1154,"b":1169}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":471,"b":474},{"a":868,"b":871},{"a":1180,"b":1183}]},{"name":"currentJobs","required":true,"transform":{"type":"scalar"},"locs":[{"a":566,"b":578}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":645,"b":651}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":716,"b":724}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":878,"b":884},{"a":923,"b":929},{"a":1190,"b":1196},{"a":1235,"b":1241}]},{"name":"maxWorkers","required":false,"transform":{"type":"scalar"},"locs":[{"a":942,"b":952},{"a":985,"b":995}]}],"statement":"-- A heartbeat that brings an offline worker back, unless the plan's cap is full; call with the organization's workers locked.\n-- `status` null: it is unknown (`known` false), or was refused by the cap, with `alive` other workers.\n-- A drained worker stays draining after it reconnects.\n-- :status null = healthy; :maxWorkers the cap, null = none; others as above.\nWITH others AS (\n  SELECT count(*) AS n FROM workers\n  WHERE organization_id = :organizationId! AND id <> :id! AND status IN ('healthy', 'degraded')\n), revived AS (\n  UPDATE workers SET current_jobs = :currentJobs!,\n    status = CASE WHEN drain_requested_at IS NULL THEN coalesce(:status::text, 'healthy') ELSE 'draining' END,\n    metadata = coalesce(:metadata::jsonb, metadata), last_heartbeat = current_ts(), updated_at = current_ts()\n  FROM others\n  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n    AND (:maxWorkers::integer IS NULL OR others.n < :maxWorkers)\n  RETURNING status\n)\nSELECT (SELECT status FROM revived) AS \"status?\", others.n AS \"alive!\",\n  EXISTS (\n    SELECT FROM workers\n    WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  ) AS \"known!\", current_ts() AS \"now!\"\nFROM others"};

/**
 * Query generated from SQL:
 * ```
 * -- A heartbeat that brings an offline worker back, unless the plan's cap is full; call with the organization's workers locked.
 * -- `status` null: it is unknown (`known` false), or was refused by the cap, with `alive` other workers.
 * -- A drained worker stays draining after it reconnects.
 * -- :status null = healthy; :maxWorkers the cap, null = none; others as above.
 * WITH others AS (
 *   SELECT count(*) AS n FROM workers
 *   WHERE organization_id = :organizationId! AND id <> :id! AND status IN ('healthy', 'degraded')
 * ), revived AS (
 *   UPDATE workers SET current_jobs = :currentJobs!,
 *     status = CASE WHEN drain_requested_at IS NULL THEN coalesce(:status::text, 'healthy') ELSE 'draining' END,
 *     metadata = coalesce(:metadata::jsonb, metadata), last_heartbeat = current_ts(), updated_at = current_ts()
 *   FROM others
 *   WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *     AND (:maxWorkers::integer IS NULL OR others.n < :maxWorkers)
 *   RETURNING status
 * )
 * SELECT (SELECT status FROM revived) AS "status?", others.n AS "alive!",
 *   EXISTS (
 *     SELECT FROM workers
 *     WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   ) AS "known!", current_ts() AS "now!"
 * FROM others
 * ```
 */
export const reviveWorker = new PreparedQuery<ReviveWorkerParams,ReviveWorkerResult>(reviveWorkerIR);


