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
  status: string;
}

/** 'RecordHeartbeat' query type */
export interface RecordHeartbeatQuery {
  params: RecordHeartbeatParams;
  result: RecordHeartbeatResult;
}

const recordHeartbeatIR: any = {"usedParamSet":{"currentJobs":true,"status":true,"metadata":true,"organizationId":true,"id":true,"queues":true},"params":[{"name":"currentJobs","required":true,"transform":{"type":"scalar"},"locs":[{"a":135,"b":147}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":208,"b":214},{"a":280,"b":286}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":335,"b":343}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":435,"b":450}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":461,"b":464}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":471,"b":477},{"a":516,"b":522}]}],"statement":"-- :status null = healthy; :metadata null = as before; :queues that the key may touch, null = all.\nUPDATE workers SET\n  current_jobs = :currentJobs!,\n  status = CASE\n    WHEN status = 'draining' AND coalesce(:status::text, 'healthy') = 'healthy' THEN 'draining'\n    ELSE coalesce(:status::text, 'healthy')\n  END,\n  metadata = coalesce(:metadata::jsonb, metadata),\n  last_heartbeat = now(),\n  updated_at = now()\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\nRETURNING status"};

/**
 * Query generated from SQL:
 * ```
 * -- :status null = healthy; :metadata null = as before; :queues that the key may touch, null = all.
 * UPDATE workers SET
 *   current_jobs = :currentJobs!,
 *   status = CASE
 *     WHEN status = 'draining' AND coalesce(:status::text, 'healthy') = 'healthy' THEN 'draining'
 *     ELSE coalesce(:status::text, 'healthy')
 *   END,
 *   metadata = coalesce(:metadata::jsonb, metadata),
 *   last_heartbeat = now(),
 *   updated_at = now()
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * RETURNING status
 * ```
 */
export const recordHeartbeat = new PreparedQuery<RecordHeartbeatParams,RecordHeartbeatResult>(recordHeartbeatIR);


