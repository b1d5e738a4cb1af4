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
  groupId?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
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

const listDeadLetterGroupsIR: any = {"usedParamSet":{"organizationId":true,"groupId":true,"queues":true,"afterTime":true,"byCount":true,"afterCount":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":583,"b":598},{"a":816,"b":831},{"a":1724,"b":1739},{"a":2122,"b":2137}]},{"name":"groupId","required":false,"transform":{"type":"scalar"},"locs":[{"a":609,"b":616},{"a":646,"b":653}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":665,"b":671},{"a":710,"b":716}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":931,"b":940},{"a":1037,"b":1046},{"a":1115,"b":1124}]},{"name":"byCount","required":true,"transform":{"type":"scalar"},"locs":[{"a":970,"b":978},{"a":1076,"b":1084},{"a":1164,"b":1172},{"a":2277,"b":2285}]},{"name":"afterCount","required":false,"transform":{"type":"scalar"},"locs":[{"a":1016,"b":1026}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1049,"b":1056},{"a":1127,"b":1134}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1233,"b":1239}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1248,"b":1255}]}],"statement":"-- One page of an organization's dead letters by group, with the last 24 hours of each and its newest member as sample.\n-- :queues null = all; :groupId null = all; :byCount the largest first, else the one seen last first; :afterCount, :afterTime and :afterId\n-- of the last group of the previous page, null = the first page.\n-- Relies on dead_letters_groups, which holds all that is counted. Records are read only for samples.\nWITH counted AS (\n  SELECT group_id, count(*) AS total, min(dead_at) AS first_seen, max(dead_at) AS last_seen\n  FROM dead_letters\n  WHERE organization_id = :organizationId!\n    AND (:groupId::uuid IS NULL OR group_id = :groupId)\n    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n    AND queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))\n  GROUP BY group_id\n), page AS MATERIALIZED (\n  SELECT * FROM counted\n  WHERE :afterTime::timestamptz IS NULL\n    OR :byCount! AND (total, last_seen, group_id) < (:afterCount::bigint, :afterTime, :afterId::uuid)\n    OR NOT :byCount! AND (last_seen, group_id) < (:afterTime, :afterId::uuid)\n  ORDER BY CASE WHEN :byCount! THEN total END DESC, last_seen DESC, group_id DESC\n  LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  page.group_id AS \"id!\", normalized_error_v1(j.last_error) AS \"error!\", j.job_type AS \"job_type!\", j.queue_name AS \"queue_name!\",\n  page.total AS \"count!\", page.first_seen AS \"first_seen!\", page.last_seen AS \"last_seen!\",\n  j.id AS \"sample_id!\", j.last_error AS \"sample_error?\", j.retry_count AS \"sample_retry_count!\", sample.dead_at AS \"sample_dead_at!\",\n  ARRAY(\n    SELECT (\n      SELECT count(*)::integer FROM dead_letters\n      WHERE organization_id = :organizationId! AND group_id = page.group_id\n        AND dead_at >= date_trunc('hour', current_ts()) - make_interval(hours => ago)\n        AND dead_at < date_trunc('hour', current_ts()) - make_interval(hours => ago - 1))\n    FROM generate_series(0, 23) AS ago ORDER BY ago DESC\n  ) AS \"per_hour!\"\nFROM page\nCROSS JOIN LATERAL (\n  SELECT job_id, dead_at FROM dead_letters\n  WHERE organization_id = :organizationId! AND group_id = page.group_id\n  ORDER BY dead_at DESC, job_id DESC LIMIT 1\n) sample\nJOIN jobs j ON j.id = sample.job_id\nORDER BY CASE WHEN :byCount! THEN page.total END DESC, page.last_seen DESC, page.group_id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of an organization's dead letters by group, with the last 24 hours of each and its newest member as sample.
 * -- :queues null = all; :groupId null = all; :byCount the largest first, else the one seen last first; :afterCount, :afterTime and :afterId
 * -- of the last group of the previous page, null = the first page.
 * -- Relies on dead_letters_groups, which holds all that is counted. Records are read only for samples.
 * WITH counted AS (
 *   SELECT group_id, count(*) AS total, min(dead_at) AS first_seen, max(dead_at) AS last_seen
 *   FROM dead_letters
 *   WHERE organization_id = :organizationId!
 *     AND (:groupId::uuid IS NULL OR group_id = :groupId)
 *     AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *     AND queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
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
 *       SELECT count(*)::integer FROM dead_letters
 *       WHERE organization_id = :organizationId! AND group_id = page.group_id
 *         AND dead_at >= date_trunc('hour', current_ts()) - make_interval(hours => ago)
 *         AND dead_at < date_trunc('hour', current_ts()) - make_interval(hours => ago - 1))
 *     FROM generate_series(0, 23) AS ago ORDER BY ago DESC
 *   ) AS "per_hour!"
 * FROM page
 * CROSS JOIN LATERAL (
 *   SELECT job_id, dead_at FROM dead_letters
 *   WHERE organization_id = :organizationId! AND group_id = page.group_id
 *   ORDER BY dead_at DESC, job_id DESC LIMIT 1
 * ) sample
 * JOIN jobs j ON j.id = sample.job_id
 * ORDER BY CASE WHEN :byCount! THEN page.total END DESC, page.last_seen DESC, page.group_id DESC
 * ```
 */
export const listDeadLetterGroups = new PreparedQuery<ListDeadLetterGroupsParams,ListDeadLetterGroupsResult>(listDeadLetterGroupsIR);


/** 'ListDeadLettersOfGroup' parameters type */
export interface ListDeadLettersOfGroupParams {
  groupId: string;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
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

const listDeadLettersOfGroupIR: any = {"usedParamSet":{"organizationId":true,"groupId":true,"queues":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":208,"b":223},{"a":406,"b":421},{"a":922,"b":937}]},{"name":"groupId","required":true,"transform":{"type":"scalar"},"locs":[{"a":240,"b":248}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":255,"b":261},{"a":300,"b":306}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":488,"b":494}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":503,"b":510}]}],"statement":"-- One page of a group's dead letters, the newest first.\n-- :queues null = all. Relies on dead_letters_groups.\nWITH page AS MATERIALIZED (\n  SELECT job_id, dead_at FROM dead_letters\n  WHERE organization_id = :organizationId! AND group_id = :groupId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n    AND queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))\n  ORDER BY dead_at DESC, job_id DESC\n  LIMIT :limit! OFFSET :offset!\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.job_id AND r.organization_id = :organizationId!\nORDER BY page.dead_at DESC, page.job_id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of a group's dead letters, the newest first.
 * -- :queues null = all. Relies on dead_letters_groups.
 * WITH page AS MATERIALIZED (
 *   SELECT job_id, dead_at FROM dead_letters
 *   WHERE organization_id = :organizationId! AND group_id = :groupId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *     AND queue_name <> ALL (ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
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


