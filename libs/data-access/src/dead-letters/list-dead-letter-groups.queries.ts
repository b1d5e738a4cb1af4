/** Types generated for queries found in "libs/data-access/src/dead-letters/list-dead-letter-groups.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'ListDeadLetterGroups' parameters type */
export interface ListDeadLetterGroupsParams {
  afterCount?: number | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  byCount: boolean;
  filter: string;
  limit: number;
  offset: number;
  organizationId: string;
  scope: stringArray;
}

/** 'ListDeadLetterGroups' return type */
export interface ListDeadLetterGroupsResult {
  count: number;
  error: string;
  first_seen: string;
  id: string;
  job_type: string;
  last_seen: string;
  per_hour: numberArray;
  queue_name: string;
  sample_dead_at: string;
  sample_error: string | null;
  sample_id: string;
  sample_retry_count: number;
}

/** 'ListDeadLetterGroups' query type */
export interface ListDeadLetterGroupsQuery {
  params: ListDeadLetterGroupsParams;
  result: ListDeadLetterGroupsResult;
}

const listDeadLetterGroupsIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"afterTime":true,"byCount":true,"afterCount":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":539,"b":554},{"a":1479,"b":1494},{"a":1929,"b":1944}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":557,"b":563},{"a":1497,"b":1503},{"a":1947,"b":1953}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":566,"b":573},{"a":1506,"b":1513},{"a":1956,"b":1963}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":704,"b":713},{"a":810,"b":819},{"a":888,"b":897}]},{"name":"byCount","required":true,"transform":{"type":"scalar"},"locs":[{"a":743,"b":751},{"a":849,"b":857},{"a":937,"b":945},{"a":2146,"b":2154}]},{"name":"afterCount","required":false,"transform":{"type":"scalar"},"locs":[{"a":789,"b":799}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":822,"b":829},{"a":900,"b":907}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1006,"b":1012}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1021,"b":1028}]}],"statement":"-- One page of the dead letters that :scope and :filter select (matching_dead_letters_v1) by group, with the last 24 hours of each and\n-- its newest member as sample. :byCount the largest first, else the one seen last first; :afterCount, :afterTime and :afterId\n-- of the last group of the previous page, null = the first page.\n-- Relies on dead_letters_groups. Records are read only for samples.\nWITH counted AS (\n  SELECT group_id, count(*) AS total, min(dead_at) AS first_seen, max(dead_at) AS last_seen\n  FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, 'infinity') AS found\n  WHERE group_id IS NOT NULL\n  GROUP BY group_id\n), page AS MATERIALIZED (\n  SELECT * FROM counted\n  WHERE :afterTime::timestamptz IS NULL\n    OR :byCount! AND (total, last_seen, group_id) < (:afterCount::bigint, :afterTime, :afterId::uuid)\n    OR NOT :byCount! AND (last_seen, group_id) < (:afterTime, :afterId::uuid)\n  ORDER BY CASE WHEN :byCount! THEN total END DESC, last_seen DESC, group_id DESC\n  LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  page.group_id AS \"id!\", normalized_error_v1(j.last_error) AS \"error!\", j.job_type AS \"job_type!\", j.queue_name AS \"queue_name!\",\n  page.total AS \"count!\", page.first_seen AS \"first_seen!\", page.last_seen AS \"last_seen!\",\n  j.id AS \"sample_id!\", j.last_error AS \"sample_error?\", j.retry_count AS \"sample_retry_count!\", sample.dead_at AS \"sample_dead_at!\",\n  ARRAY(\n    SELECT (\n      SELECT count(*)::integer FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause', 'infinity') AS found\n      WHERE group_id = page.group_id\n        AND dead_at >= date_trunc('hour', current_ts()) - make_interval(hours => ago)\n        AND dead_at < date_trunc('hour', current_ts()) - make_interval(hours => ago - 1))\n    FROM generate_series(0, 23) AS ago ORDER BY ago DESC\n  ) AS \"per_hour!\"\nFROM page\nCROSS JOIN LATERAL (\n  SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause', 'infinity') AS found\n  WHERE group_id = page.group_id\n  ORDER BY dead_at DESC, job_id DESC LIMIT 1\n) sample\nJOIN jobs j ON j.id = sample.job_id\nORDER BY CASE WHEN :byCount! THEN page.total END DESC, page.last_seen DESC, page.group_id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of the dead letters that :scope and :filter select (matching_dead_letters_v1) by group, with the last 24 hours of each and
 * -- its newest member as sample. :byCount the largest first, else the one seen last first; :afterCount, :afterTime and :afterId
 * -- of the last group of the previous page, null = the first page.
 * -- Relies on dead_letters_groups. Records are read only for samples.
 * WITH counted AS (
 *   SELECT group_id, count(*) AS total, min(dead_at) AS first_seen, max(dead_at) AS last_seen
 *   FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, 'infinity') AS found
 *   WHERE group_id IS NOT NULL
 *   GROUP BY group_id
 * ), page AS MATERIALIZED (
 *   SELECT * FROM counted
 *   WHERE :afterTime::timestamptz IS NULL
 *     OR :byCount! AND (total, last_seen, group_id) < (:afterCount::bigint, :afterTime, :afterId::uuid)
 *     OR NOT :byCount! AND (last_seen, group_id) < (:afterTime, :afterId::uuid)
 *   ORDER BY CASE WHEN :byCount! THEN total END DESC, last_seen DESC, group_id DESC
 *   LIMIT :limit! OFFSET :offset!
 * )
 * SELECT
 *   page.group_id AS "id!", normalized_error_v1(j.last_error) AS "error!", j.job_type AS "job_type!", j.queue_name AS "queue_name!",
 *   page.total AS "count!", page.first_seen AS "first_seen!", page.last_seen AS "last_seen!",
 *   j.id AS "sample_id!", j.last_error AS "sample_error?", j.retry_count AS "sample_retry_count!", sample.dead_at AS "sample_dead_at!",
 *   ARRAY(
 *     SELECT (
 *       SELECT count(*)::integer FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause', 'infinity') AS found
 *       WHERE group_id = page.group_id
 *         AND dead_at >= date_trunc('hour', current_ts()) - make_interval(hours => ago)
 *         AND dead_at < date_trunc('hour', current_ts()) - make_interval(hours => ago - 1))
 *     FROM generate_series(0, 23) AS ago ORDER BY ago DESC
 *   ) AS "per_hour!"
 * FROM page
 * CROSS JOIN LATERAL (
 *   SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!::jsonb - 'cause', 'infinity') AS found
 *   WHERE group_id = page.group_id
 *   ORDER BY dead_at DESC, job_id DESC LIMIT 1
 * ) sample
 * JOIN jobs j ON j.id = sample.job_id
 * ORDER BY CASE WHEN :byCount! THEN page.total END DESC, page.last_seen DESC, page.group_id DESC
 * ```
 */
export const listDeadLetterGroups = new PreparedQuery<ListDeadLetterGroupsParams,ListDeadLetterGroupsResult>(listDeadLetterGroupsIR);


/** 'ListDeadLettersOfGroup' parameters type */
export interface ListDeadLettersOfGroupParams {
  filter: string;
  limit: number;
  offset: number;
  organizationId: string;
  scope: stringArray;
}

/** 'ListDeadLettersOfGroup' return type */
export interface ListDeadLettersOfGroupResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
}

/** 'ListDeadLettersOfGroup' query type */
export interface ListDeadLettersOfGroupQuery {
  params: ListDeadLettersOfGroupParams;
  result: ListDeadLettersOfGroupResult;
}

const listDeadLettersOfGroupIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":196,"b":211},{"a":724,"b":739}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":214,"b":220}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":223,"b":230}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":290,"b":296}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":305,"b":312}]}],"statement":"-- One page of the dead letters that :scope and :filter select, the newest first. Relies on dead_letters_groups.\nWITH page AS MATERIALIZED (\n  SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, 'infinity')\n  ORDER BY dead_at DESC, job_id DESC\n  LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.job_id AND r.organization_id = :organizationId!\nORDER BY page.dead_at DESC, page.job_id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of the dead letters that :scope and :filter select, the newest first. Relies on dead_letters_groups.
 * WITH page AS MATERIALIZED (
 *   SELECT job_id, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, 'infinity')
 *   ORDER BY dead_at DESC, job_id DESC
 *   LIMIT :limit! OFFSET :offset!
 * )
 * SELECT
 *   r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
 *   r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
 *   r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
 * FROM page
 * JOIN job_records r ON r.id = page.job_id AND r.organization_id = :organizationId!
 * ORDER BY page.dead_at DESC, page.job_id DESC
 * ```
 */
export const listDeadLettersOfGroup = new PreparedQuery<ListDeadLettersOfGroupParams,ListDeadLettersOfGroupResult>(listDeadLettersOfGroupIR);


