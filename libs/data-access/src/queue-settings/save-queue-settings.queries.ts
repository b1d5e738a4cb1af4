/** Types generated for queries found in "libs/data-access/src/queue-settings/save-queue-settings.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'SaveQueueSettings' parameters type */
export interface SaveQueueSettingsParams {
  defaultRetries: number;
  defaultTimeout: number;
  enabled?: boolean | null | void;
  hidden: stringArray;
  maxRetries?: number | null | void;
  organizationId: string;
  queueName: string;
  rateLimit?: number | null | void;
  setRateLimit: boolean;
  settings?: string | null | void;
  timeoutSeconds?: number | null | void;
}

/** 'SaveQueueSettings' return type */
export interface SaveQueueSettingsResult {
  created_at: string;
  default_timeout: number;
  enabled: boolean;
  id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  rate_limit: number | null;
  saved_at: string;
  settings: string;
  settings_bytes: number;
  updated_at: string;
  was_enabled: boolean;
  was_paused_at: string | null;
}

/** 'SaveQueueSettings' query type */
export interface SaveQueueSettingsQuery {
  params: SaveQueueSettingsParams;
  result: SaveQueueSettingsResult;
}

const saveQueueSettingsIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"maxRetries":true,"defaultRetries":true,"timeoutSeconds":true,"defaultTimeout":true,"rateLimit":true,"enabled":true,"settings":true,"setRateLimit":true,"hidden":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":519,"b":534}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":537,"b":547}]},{"name":"maxRetries","required":false,"transform":{"type":"scalar"},"locs":[{"a":561,"b":571},{"a":1054,"b":1064}]},{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":574,"b":589}]},{"name":"timeoutSeconds","required":false,"transform":{"type":"scalar"},"locs":[{"a":611,"b":625},{"a":1112,"b":1126}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":628,"b":643}]},{"name":"rateLimit","required":false,"transform":{"type":"scalar"},"locs":[{"a":658,"b":667},{"a":1194,"b":1203}]},{"name":"enabled","required":false,"transform":{"type":"scalar"},"locs":[{"a":687,"b":694},{"a":718,"b":725},{"a":796,"b":803},{"a":828,"b":835},{"a":1249,"b":1256},{"a":1299,"b":1306},{"a":1396,"b":1403},{"a":1497,"b":1504}]},{"name":"settings","required":false,"transform":{"type":"scalar"},"locs":[{"a":947,"b":955},{"a":1650,"b":1658},{"a":1798,"b":1806},{"a":1890,"b":1898},{"a":2002,"b":2010}]},{"name":"setRateLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1174,"b":1187}]},{"name":"hidden","required":true,"transform":{"type":"scalar"},"locs":[{"a":2221,"b":2228}]}],"statement":"-- Creates or changes the settings of a queue; null leaves a value unchanged, but a rate limit if :setRateLimit. `settings` are merged at their top level. Disabling\n-- and enabling a queue is the same as pausing and resuming it.\n-- The defaults are for a queue without settings.\nWITH clock AS (SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now)\nINSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, paused_by, settings)\nVALUES (\n  :organizationId!, :queueName!,\n  coalesce(:maxRetries, :defaultRetries!::integer), coalesce(:timeoutSeconds, :defaultTimeout!::integer),\n  :rateLimit::float8, coalesce(:enabled, true), CASE WHEN NOT :enabled THEN nullif(current_setting('app.actor', true), '') END,\n  CASE WHEN :enabled THEN '{}'\n    WHEN NOT :enabled THEN jsonb_build_object('paused', true, 'paused_at',\n      (SELECT now FROM clock)) ELSE '{}' END || coalesce(:settings::jsonb, '{}')\n)\nON CONFLICT (organization_id, queue_name) DO UPDATE SET\n  max_retries = coalesce(:maxRetries, c.max_retries),\n  default_timeout = coalesce(:timeoutSeconds, c.default_timeout),\n  rate_limit = CASE WHEN :setRateLimit! THEN :rateLimit ELSE c.rate_limit END,\n  enabled = coalesce(:enabled, c.enabled),\n  paused_by = CASE WHEN NOT :enabled AND c.enabled THEN excluded.paused_by ELSE c.paused_by END,\n  settings = (CASE\n    WHEN :enabled AND NOT c.enabled THEN c.settings - '{paused,paused_at,paused_reason}'::text[]\n    WHEN NOT :enabled AND c.enabled THEN c.settings || jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock))\n    ELSE c.settings\n  END || coalesce(:settings::jsonb, '{}'))\n    -- Headers may hold secrets of the receiver that they were given for, so they go with it.\n    - CASE WHEN jsonb_exists(:settings::jsonb, 'callback_url') AND c.settings ->> 'callback_url' IS NOT NULL\n        AND :settings::jsonb ->> 'callback_url' IS DISTINCT FROM c.settings ->> 'callback_url'\n        AND NOT jsonb_exists(:settings::jsonb, 'callback_headers') THEN 'callback_headers' ELSE '' END,\n  updated_at = now()\nRETURNING id::text AS \"id!\", organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled,\n  (settings - :hidden!::text[])::text AS \"settings!\", created_at, updated_at,\n  octet_length(settings::text) AS \"settings_bytes!\",\n  coalesce(old.enabled, true) AS \"was_enabled!\", old.settings ->> 'paused_at' AS was_paused_at, now() AS \"saved_at!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Creates or changes the settings of a queue; null leaves a value unchanged, but a rate limit if :setRateLimit. `settings` are merged at their top level. Disabling
 * -- and enabling a queue is the same as pausing and resuming it.
 * -- The defaults are for a queue without settings.
 * WITH clock AS (SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
 * INSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, paused_by, settings)
 * VALUES (
 *   :organizationId!, :queueName!,
 *   coalesce(:maxRetries, :defaultRetries!::integer), coalesce(:timeoutSeconds, :defaultTimeout!::integer),
 *   :rateLimit::float8, coalesce(:enabled, true), CASE WHEN NOT :enabled THEN nullif(current_setting('app.actor', true), '') END,
 *   CASE WHEN :enabled THEN '{}'
 *     WHEN NOT :enabled THEN jsonb_build_object('paused', true, 'paused_at',
 *       (SELECT now FROM clock)) ELSE '{}' END || coalesce(:settings::jsonb, '{}')
 * )
 * ON CONFLICT (organization_id, queue_name) DO UPDATE SET
 *   max_retries = coalesce(:maxRetries, c.max_retries),
 *   default_timeout = coalesce(:timeoutSeconds, c.default_timeout),
 *   rate_limit = CASE WHEN :setRateLimit! THEN :rateLimit ELSE c.rate_limit END,
 *   enabled = coalesce(:enabled, c.enabled),
 *   paused_by = CASE WHEN NOT :enabled AND c.enabled THEN excluded.paused_by ELSE c.paused_by END,
 *   settings = (CASE
 *     WHEN :enabled AND NOT c.enabled THEN c.settings - '{paused,paused_at,paused_reason}'::text[]
 *     WHEN NOT :enabled AND c.enabled THEN c.settings || jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock))
 *     ELSE c.settings
 *   END || coalesce(:settings::jsonb, '{}'))
 *     -- Headers may hold secrets of the receiver that they were given for, so they go with it.
 *     - CASE WHEN jsonb_exists(:settings::jsonb, 'callback_url') AND c.settings ->> 'callback_url' IS NOT NULL
 *         AND :settings::jsonb ->> 'callback_url' IS DISTINCT FROM c.settings ->> 'callback_url'
 *         AND NOT jsonb_exists(:settings::jsonb, 'callback_headers') THEN 'callback_headers' ELSE '' END,
 *   updated_at = now()
 * RETURNING id::text AS "id!", organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled,
 *   (settings - :hidden!::text[])::text AS "settings!", created_at, updated_at,
 *   octet_length(settings::text) AS "settings_bytes!",
 *   coalesce(old.enabled, true) AS "was_enabled!", old.settings ->> 'paused_at' AS was_paused_at, now() AS "saved_at!"
 * ```
 */
export const saveQueueSettings = new PreparedQuery<SaveQueueSettingsParams,SaveQueueSettingsResult>(saveQueueSettingsIR);


