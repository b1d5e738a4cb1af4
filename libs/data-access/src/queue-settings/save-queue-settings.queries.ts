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

const saveQueueSettingsIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"maxRetries":true,"defaultRetries":true,"timeoutSeconds":true,"defaultTimeout":true,"rateLimit":true,"enabled":true,"settings":true,"setRateLimit":true,"hidden":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":526,"b":541}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":544,"b":554}]},{"name":"maxRetries","required":false,"transform":{"type":"scalar"},"locs":[{"a":568,"b":578},{"a":1061,"b":1071}]},{"name":"defaultRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":581,"b":596}]},{"name":"timeoutSeconds","required":false,"transform":{"type":"scalar"},"locs":[{"a":618,"b":632},{"a":1119,"b":1133}]},{"name":"defaultTimeout","required":true,"transform":{"type":"scalar"},"locs":[{"a":635,"b":650}]},{"name":"rateLimit","required":false,"transform":{"type":"scalar"},"locs":[{"a":665,"b":674},{"a":1201,"b":1210}]},{"name":"enabled","required":false,"transform":{"type":"scalar"},"locs":[{"a":694,"b":701},{"a":725,"b":732},{"a":803,"b":810},{"a":835,"b":842},{"a":1256,"b":1263},{"a":1306,"b":1313},{"a":1403,"b":1410},{"a":1504,"b":1511}]},{"name":"settings","required":false,"transform":{"type":"scalar"},"locs":[{"a":954,"b":962},{"a":1657,"b":1665},{"a":1805,"b":1813},{"a":1897,"b":1905},{"a":2009,"b":2017}]},{"name":"setRateLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1181,"b":1194}]},{"name":"hidden","required":true,"transform":{"type":"scalar"},"locs":[{"a":2235,"b":2242}]}],"statement":"-- Creates or changes the settings of a queue; null leaves a value unchanged, but a rate limit if :setRateLimit. `settings` are merged at their top level. Disabling\n-- and enabling a queue is the same as pausing and resuming it.\n-- The defaults are for a queue without settings.\nWITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS now)\nINSERT INTO queue_config AS c (organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled, paused_by, settings)\nVALUES (\n  :organizationId!, :queueName!,\n  coalesce(:maxRetries, :defaultRetries!::integer), coalesce(:timeoutSeconds, :defaultTimeout!::integer),\n  :rateLimit::float8, coalesce(:enabled, true), CASE WHEN NOT :enabled THEN nullif(current_setting('app.actor', true), '') END,\n  CASE WHEN :enabled THEN '{}'\n    WHEN NOT :enabled THEN jsonb_build_object('paused', true, 'paused_at',\n      (SELECT now FROM clock)) ELSE '{}' END || coalesce(:settings::jsonb, '{}')\n)\nON CONFLICT (organization_id, queue_name) DO UPDATE SET\n  max_retries = coalesce(:maxRetries, c.max_retries),\n  default_timeout = coalesce(:timeoutSeconds, c.default_timeout),\n  rate_limit = CASE WHEN :setRateLimit! THEN :rateLimit ELSE c.rate_limit END,\n  enabled = coalesce(:enabled, c.enabled),\n  paused_by = CASE WHEN NOT :enabled AND c.enabled THEN excluded.paused_by ELSE c.paused_by END,\n  settings = (CASE\n    WHEN :enabled AND NOT c.enabled THEN c.settings - '{paused,paused_at,paused_reason}'::text[]\n    WHEN NOT :enabled AND c.enabled THEN c.settings || jsonb_build_object('paused', true, 'paused_at', (SELECT now FROM clock))\n    ELSE c.settings\n  END || coalesce(:settings::jsonb, '{}'))\n    -- Headers may hold secrets of the receiver that they were given for, so they go with it.\n    - CASE WHEN jsonb_exists(:settings::jsonb, 'callback_url') AND c.settings ->> 'callback_url' IS NOT NULL\n        AND :settings::jsonb ->> 'callback_url' IS DISTINCT FROM c.settings ->> 'callback_url'\n        AND NOT jsonb_exists(:settings::jsonb, 'callback_headers') THEN 'callback_headers' ELSE '' END,\n  updated_at = current_ts()\nRETURNING id::text AS \"id!\", organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled,\n  (settings - :hidden!::text[])::text AS \"settings!\", created_at, updated_at,\n  octet_length(settings::text) AS \"settings_bytes!\",\n  coalesce(old.enabled, true) AS \"was_enabled!\", old.settings ->> 'paused_at' AS was_paused_at, current_ts() AS \"saved_at!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Creates or changes the settings of a queue; null leaves a value unchanged, but a rate limit if :setRateLimit. `settings` are merged at their top level. Disabling
 * -- and enabling a queue is the same as pausing and resuming it.
 * -- The defaults are for a queue without settings.
 * WITH clock AS (SELECT to_char(current_ts() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now)
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
 *   updated_at = current_ts()
 * RETURNING id::text AS "id!", organization_id, queue_name, max_retries, default_timeout, rate_limit, enabled,
 *   (settings - :hidden!::text[])::text AS "settings!", created_at, updated_at,
 *   octet_length(settings::text) AS "settings_bytes!",
 *   coalesce(old.enabled, true) AS "was_enabled!", old.settings ->> 'paused_at' AS was_paused_at, current_ts() AS "saved_at!"
 * ```
 */
export const saveQueueSettings = new PreparedQuery<SaveQueueSettingsParams,SaveQueueSettingsResult>(saveQueueSettingsIR);


