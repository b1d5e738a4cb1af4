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
  settings: string | null;
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

const listSchedulesIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"active":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":566,"b":581}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":588,"b":594},{"a":633,"b":639}]},{"name":"active","required":false,"transform":{"type":"scalar"},"locs":[{"a":650,"b":656},{"a":690,"b":696}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":706,"b":715},{"a":761,"b":770}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":773,"b":780}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":830,"b":836}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":845,"b":852}]}],"statement":"-- Schedules, newest first.\n-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last\n-- schedule of the previous page, null = the first page.\n-- Index: schedules_newest.\nSELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at FROM schedules\nWHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  AND (:active::boolean IS NULL OR is_active = :active)\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Schedules, newest first.
 * -- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
 * -- schedule of the previous page, null = the first page.
 * -- Index: schedules_newest.
 * SELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at FROM schedules
 * WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   AND (:active::boolean IS NULL OR is_active = :active)
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listSchedules = new PreparedQuery<ListSchedulesParams,ListSchedulesResult>(listSchedulesIR);


