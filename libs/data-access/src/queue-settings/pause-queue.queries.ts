/** Types generated for queries found in "libs/data-access/src/queue-settings/pause-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'PauseQueue' parameters type */
export interface PauseQueueParams {
  defaultRetries: number;
  defaultTimeout: number;
  expiresAt?: string | null | void;
  organizationId: string;
  queueName: string;
  reason?: string | null | void;
}

/** 'PauseQueue' return type */
export interface PauseQueueResult {
  changed: boolean;
  pause_expires_at: string | null;
  paused_at: string;
}

/** 'PauseQueue' query type */
export interface PauseQueueQuery {
  params: PauseQueueParams;
  result: PauseQueueResult;
}

const pauseQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"defaultRetries":true,"defaultTimeout":true,"reason":true,"expiresAt":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":469,"b":484}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":487,"b":497}]},{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":500,"b":515}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":518,"b":533}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":635,"b":641},{"a":963,"b":969}]},{"name":"expiresAt","required":false,"transform":{"type":"scalar"},"locs":[{"a":653,"b":662}]}],"statement":"-- Pauses a queue until :expiresAt, null = until it is resumed. A queue that is already paused keeps its pause time, and gets the new\n-- reason, expiry and actor.\n-- The defaults are for a queue without settings.\nWITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now)\nINSERT INTO queue_config AS c (\n  organization_id, queue_name, max_retries, default_timeout, enabled, settings, pause_expires_at, paused_by)\nVALUES (\n  :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,\n  jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text),\n  :expiresAt::timestamptz, nullif(current_setting('app.actor', true), '')\n)\nON CONFLICT (organization_id, queue_name) DO UPDATE SET\n  enabled = false,\n  pause_expires_at = excluded.pause_expires_at,\n  paused_by = excluded.paused_by,\n  settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,\n    'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))\n      ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),\n  updated_at = current_ts()\nRETURNING settings ->> 'paused_at' AS \"paused_at!\", pause_expires_at, coalesce(old.enabled, true) AS \"changed!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Pauses a queue until :expiresAt, null = until it is resumed. A queue that is already paused keeps its pause time, and gets the new
 * -- reason, expiry and actor.
 * -- The defaults are for a queue without settings.
 * WITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
 * INSERT INTO queue_config AS c (
 *   organization_id, queue_name, max_retries, default_timeout, enabled, settings, pause_expires_at, paused_by)
 * VALUES (
 *   :organizationId!, :queueName!, :defaultRetries!, :defaultTimeout!, false,
 *   jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock), 'paused_reason', :reason::text),
 *   :expiresAt::timestamptz, nullif(current_setting('app.actor', true), '')
 * )
 * ON CONFLICT (organization_id, queue_name) DO UPDATE SET
 *   enabled = false,
 *   pause_expires_at = excluded.pause_expires_at,
 *   paused_by = excluded.paused_by,
 *   settings = c.settings || jsonb_build_object('paused', true, 'paused_reason', :reason::text,
 *     'paused_at', CASE WHEN c.enabled THEN to_jsonb((SELECT now FROM clock))
 *       ELSE coalesce(c.settings -> 'paused_at', to_jsonb((SELECT now FROM clock))) END),
 *   updated_at = current_ts()
 * RETURNING settings ->> 'paused_at' AS "paused_at!", pause_expires_at, coalesce(old.enabled, true) AS "changed!"
 * ```
 */
export const pauseQueue = new PreparedQuery<PauseQueueParams,PauseQueueResult>(pauseQueueIR);


/** 'FindPause' parameters type */
export interface FindPauseParams {
  organizationId: string;
  queueName: string;
}

/** 'FindPause' return type */
export interface FindPauseResult {
  pause_expires_at: string | null;
  paused_at: string | null;
  paused_by: string | null;
  reason: string | null;
}

/** 'FindPause' query type */
export interface FindPauseQuery {
  params: FindPauseParams;
  result: FindPauseResult;
}

const findPauseIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":226,"b":241}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":260,"b":270}]}],"statement":"-- The pause of a queue; no row if it is not paused.\nSELECT settings ->> 'paused_at' AS \"paused_at?\", left(settings ->> 'paused_reason', 500) AS \"reason?\", pause_expires_at, paused_by\nFROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT enabled"};

/**
 * Query generated from SQL:
 * ```
 * -- The pause of a queue; no row if it is not paused.
 * SELECT settings ->> 'paused_at' AS "paused_at?", left(settings ->> 'paused_reason', 500) AS "reason?", pause_expires_at, paused_by
 * FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT enabled
 * ```
 */
export const findPause = new PreparedQuery<FindPauseParams,FindPauseResult>(findPauseIR);


