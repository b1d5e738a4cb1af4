/** Types generated for queries found in "libs/data-access/src/queue-settings/pause-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'PauseQueue' parameters type */
export interface PauseQueueParams {
  defaultRetries: number;
  defaultTimeout: number;
  organizationId: string;
  queueName: string;
  reason?: string | null | void;
}

/** 'PauseQueue' return type */
export interface PauseQueueResult {
  changed: boolean;
  paused_at: string;
}

/** 'PauseQueue' query type */
export interface PauseQueueQuery {
  params: PauseQueueParams;
  result: PauseQueueResult;
}

const pauseQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"defaultRetries":true,"defaultTimeout":true,"reason":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":339,"b":354}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":357,"b":367}]},{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":370,"b":385}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":388,"b":403}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":505,"b":511},{"a":676,"b":682}]}],"statement":"-- Pauses a queue. A queue that is already paused keeps its pause time.\n-- The defaults are for a queue without settings.\nWITH clock AS (SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now)\nINSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, enabled, settings)\nVALUES (\n  :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,\n  jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text)\n)\nON CONFLICT (organization_id, queue_name) DO UPDATE SET\n  enabled = false,\n  settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,\n    'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))\n      ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),\n  updated_at = now()\nRETURNING settings ->> 'paused_at' AS \"paused_at!\", coalesce(old.enabled, true) AS \"changed!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Pauses a queue. A queue that is already paused keeps its pause time.
 * -- The defaults are for a queue without settings.
 * WITH clock AS (SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
 * INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, enabled, settings)
 * VALUES (
 *   :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,
 *   jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text)
 * )
 * ON CONFLICT (organization_id, queue_name) DO UPDATE SET
 *   enabled = false,
 *   settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,
 *     'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))
 *       ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),
 *   updated_at = now()
 * RETURNING settings ->> 'paused_at' AS "paused_at!", coalesce(old.enabled, true) AS "changed!"
 * ```
 */
export const pauseQueue = new PreparedQuery<PauseQueueParams,PauseQueueResult>(pauseQueueIR);


