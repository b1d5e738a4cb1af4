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
  rows: number;
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

const listSchedulesIR: any = {"usedParamSet":{"organizationId":true,"afterTime":true,"afterId":true,"rows":true,"queues":true,"active":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":608,"b":623}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":630,"b":639},{"a":685,"b":694}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":697,"b":704}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":756,"b":761}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":780,"b":786},{"a":825,"b":831}]},{"name":"active","required":false,"transform":{"type":"scalar"},"locs":[{"a":840,"b":846},{"a":880,"b":886}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":929,"b":935}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":944,"b":951}]}],"statement":"-- Schedules, newest first, among the next :rows.\n-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last\n-- schedule of the previous page, null = the first page.\n-- Index: schedules_newest.\nSELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at\nFROM (\n  SELECT * FROM schedules\n  WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY created_at DESC, id DESC LIMIT :rows!\n) AS next\nWHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)\nORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Schedules, newest first, among the next :rows.
 * -- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
 * -- schedule of the previous page, null = the first page.
 * -- Index: schedules_newest.
 * SELECT id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
 * FROM (
 *   SELECT * FROM schedules
 *   WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY created_at DESC, id DESC LIMIT :rows!
 * ) AS next
 * WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)
 * ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listSchedules = new PreparedQuery<ListSchedulesParams,ListSchedulesResult>(listSchedulesIR);


/** 'FindSchedulesEnd' parameters type */
export interface FindSchedulesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId: string;
  rows: number;
}

/** 'FindSchedulesEnd' return type */
export interface FindSchedulesEndResult {
  at: string;
  id: string;
}

/** 'FindSchedulesEnd' query type */
export interface FindSchedulesEndQuery {
  params: FindSchedulesEndParams;
  result: FindSchedulesEndResult;
}

const findSchedulesEndIR: any = {"usedParamSet":{"organizationId":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":123,"b":138}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":145,"b":154},{"a":200,"b":209}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":212,"b":219}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":278,"b":283}]}],"statement":"-- The last of the next :rows; none if there are fewer.\nSELECT created_at AS at, id FROM schedules\nWHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows; none if there are fewer.
 * SELECT created_at AS at, id FROM schedules
 * WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findSchedulesEnd = new PreparedQuery<FindSchedulesEndParams,FindSchedulesEndResult>(findSchedulesEndIR);


