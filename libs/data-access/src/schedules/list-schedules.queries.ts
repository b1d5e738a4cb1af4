/** Types generated for queries found in "libs/data-access/src/schedules/list-schedules.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListSchedules' parameters type */
export interface ListSchedulesParams {
  active?: boolean | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListSchedules' return type */
export interface ListSchedulesResult {
  created_at: string;
  cron_expression: string;
  description: string | null;
  id: string;
  is_active: boolean;
  last_run_at: string | null;
  max_retries: number;
  metadata: string | null;
  name: string;
  next_run_at: string | null;
  organization_id: string;
  payload_template: string;
  priority: number;
  queue_name: string;
  run_count: number;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
  updated_at: string;
}

/** 'ListSchedules' query type */
export interface ListSchedulesQuery {
  params: ListSchedulesParams;
  result: ListSchedulesResult;
}

const listSchedulesIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"active":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":538,"b":553}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":560,"b":566},{"a":605,"b":611}]},{"name":"active","required":false,"transform":{"type":"scalar"},"locs":[{"a":622,"b":628},{"a":662,"b":668}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":678,"b":687},{"a":733,"b":742}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":745,"b":752}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":802,"b":808}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":817,"b":824}]}],"statement":"-- Schedules, newest first.\n-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last\n-- schedule of the previous page, null = the first page.\n-- Index: schedules_newest.\nSELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, created_at, updated_at FROM schedules\nWHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  AND (:active::boolean IS NULL OR is_active = :active)\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Schedules, newest first.
 * -- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
 * -- schedule of the previous page, null = the first page.
 * -- Index: schedules_newest.
 * SELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, created_at, updated_at FROM schedules
 * WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   AND (:active::boolean IS NULL OR is_active = :active)
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listSchedules = new PreparedQuery<ListSchedulesParams,ListSchedulesResult>(listSchedulesIR);


