/** Types generated for queries found in "libs/data-access/src/schedules/list-schedules.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListSchedules' parameters type */
export interface ListSchedulesParams {
  active?: boolean | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  maxBytes: number;
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
  found: number;
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

const listSchedulesIR: any = {"usedParamSet":{"organizationId":true,"afterTime":true,"afterId":true,"rows":true,"queues":true,"active":true,"limit":true,"offset":true,"maxBytes":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":485,"b":500}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":507,"b":516},{"a":562,"b":571}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":574,"b":581}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":635,"b":640}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":663,"b":669},{"a":708,"b":714}]},{"name":"active","required":false,"transform":{"type":"scalar"},"locs":[{"a":723,"b":729},{"a":763,"b":769}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":814,"b":820}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":829,"b":836}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1423,"b":1432},{"a":2067,"b":2076}]}],"statement":"-- Schedules, newest first, among the next :rows.\n-- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last\n-- schedule of the previous page, null = the first page.\n-- found: the schedules of the page; of these as many are returned as have :maxBytes of documents, and at least one.\n-- Index: schedules_newest.\nWITH RECURSIVE page AS MATERIALIZED (\n  SELECT * FROM (\n    SELECT * FROM schedules\n    WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n    ORDER BY created_at DESC, id DESC LIMIT :rows!\n  ) AS next\n  WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)\n  ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!\n), numbered AS MATERIALIZED (\n  SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page\n), sized AS (\n  -- Row by row, because a sum over all rows would read each document.\n  SELECT 1::bigint AS place, 0::bigint AS bytes_before\n  UNION ALL\n  SELECT s.place + 1, s.bytes_before + octet_length(n.payload_template::text) + coalesce(octet_length(n.tags::text), 0)\n    + coalesce(octet_length(n.metadata::text), 0) + coalesce(octet_length(n.settings::text), 0)\n  FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!\n)\nSELECT id AS \"id!\", organization_id AS \"organization_id!\", name AS \"name!\", description, cron_expression AS \"cron_expression!\",\n  timezone AS \"timezone!\", queue_name AS \"queue_name!\", payload_template AS \"payload_template!\", priority AS \"priority!\",\n  max_retries AS \"max_retries!\", timeout_seconds AS \"timeout_seconds!\", is_active AS \"is_active!\", last_run_at, next_run_at,\n  run_count AS \"run_count!\", tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at AS \"created_at!\",\n  updated_at AS \"updated_at!\", found AS \"found!\"\nFROM numbered n JOIN sized s ON s.place = n.place\nWHERE s.bytes_before < :maxBytes!\nORDER BY created_at DESC, id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- Schedules, newest first, among the next :rows.
 * -- :queues that the caller may access, null = all; :active null = active and paused; :afterTime and :afterId of the last
 * -- schedule of the previous page, null = the first page.
 * -- found: the schedules of the page; of these as many are returned as have :maxBytes of documents, and at least one.
 * -- Index: schedules_newest.
 * WITH RECURSIVE page AS MATERIALIZED (
 *   SELECT * FROM (
 *     SELECT * FROM schedules
 *     WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *     ORDER BY created_at DESC, id DESC LIMIT :rows!
 *   ) AS next
 *   WHERE (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND (:active::boolean IS NULL OR is_active = :active)
 *   ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ), numbered AS MATERIALIZED (
 *   SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page
 * ), sized AS (
 *   -- Row by row, because a sum over all rows would read each document.
 *   SELECT 1::bigint AS place, 0::bigint AS bytes_before
 *   UNION ALL
 *   SELECT s.place + 1, s.bytes_before + octet_length(n.payload_template::text) + coalesce(octet_length(n.tags::text), 0)
 *     + coalesce(octet_length(n.metadata::text), 0) + coalesce(octet_length(n.settings::text), 0)
 *   FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!
 * )
 * SELECT id AS "id!", organization_id AS "organization_id!", name AS "name!", description, cron_expression AS "cron_expression!",
 *   timezone AS "timezone!", queue_name AS "queue_name!", payload_template AS "payload_template!", priority AS "priority!",
 *   max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", is_active AS "is_active!", last_run_at, next_run_at,
 *   run_count AS "run_count!", tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at AS "created_at!",
 *   updated_at AS "updated_at!", found AS "found!"
 * FROM numbered n JOIN sized s ON s.place = n.place
 * WHERE s.bytes_before < :maxBytes!
 * ORDER BY created_at DESC, id DESC
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


