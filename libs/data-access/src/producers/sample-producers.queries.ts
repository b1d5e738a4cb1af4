/** Types generated for queries found in "libs/data-access/src/producers/sample-producers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListJobTypes' parameters type */
export interface ListJobTypesParams {
  most: number;
  organizationId: string;
  queueName: string;
}

/** 'ListJobTypes' return type */
export interface ListJobTypesResult {
  is_known: boolean;
  types: stringArray;
}

/** 'ListJobTypes' query type */
export interface ListJobTypesQuery {
  params: ListJobTypesParams;
  result: ListJobTypesResult;
}

const listJobTypesIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":308,"b":323},{"a":569,"b":584},{"a":830,"b":845},{"a":941,"b":956}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":342,"b":352},{"a":605,"b":615},{"a":864,"b":874},{"a":975,"b":985}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":752,"b":757}]}],"statement":"-- The job types of a queue in the order of their names, at most :most, and whether the queue is known.\n-- Relies on jobs_of_type, whose condition it repeats, and the primary keys of queues and queue_config.\nWITH RECURSIVE types AS (\n  (\n    SELECT job_type, 1 AS place FROM jobs\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND queue_name >= ''\n    ORDER BY queue_name, job_type LIMIT 1\n  )\n  UNION ALL\n  SELECT next.job_type, types.place + 1 FROM types CROSS JOIN LATERAL (\n    SELECT j.job_type FROM jobs j\n    WHERE j.organization_id = :organizationId! AND j.queue_name = :queueName! AND j.queue_name >= '' AND j.job_type > types.job_type\n    ORDER BY j.queue_name, j.job_type LIMIT 1\n  ) AS next\n  WHERE types.place < :most!::integer\n)\nSELECT\n  EXISTS (SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)\n    OR EXISTS (SELECT FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!) AS \"is_known!\",\n  (SELECT coalesce(array_agg(job_type), '{}') FROM types) AS \"types!\""};

/**
 * Query generated from SQL:
 * ```
 * -- The job types of a queue in the order of their names, at most :most, and whether the queue is known.
 * -- Relies on jobs_of_type, whose condition it repeats, and the primary keys of queues and queue_config.
 * WITH RECURSIVE types AS (
 *   (
 *     SELECT job_type, 1 AS place FROM jobs
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND queue_name >= ''
 *     ORDER BY queue_name, job_type LIMIT 1
 *   )
 *   UNION ALL
 *   SELECT next.job_type, types.place + 1 FROM types CROSS JOIN LATERAL (
 *     SELECT j.job_type FROM jobs j
 *     WHERE j.organization_id = :organizationId! AND j.queue_name = :queueName! AND j.queue_name >= '' AND j.job_type > types.job_type
 *     ORDER BY j.queue_name, j.job_type LIMIT 1
 *   ) AS next
 *   WHERE types.place < :most!::integer
 * )
 * SELECT
 *   EXISTS (SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)
 *     OR EXISTS (SELECT FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!) AS "is_known!",
 *   (SELECT coalesce(array_agg(job_type), '{}') FROM types) AS "types!"
 * ```
 */
export const listJobTypes = new PreparedQuery<ListJobTypesParams,ListJobTypesResult>(listJobTypesIR);


/** 'SampleProducers' parameters type */
export interface SampleProducersParams {
  minutes: number;
  organizationId: string;
  perType: number;
  queueName: string;
  top: number;
  types?: stringArray | null | void;
}

/** 'SampleProducers' return type */
export interface SampleProducersResult {
  creators: string;
  is_cut: boolean;
  jobs: number;
  since: string;
  tags: string;
  types: string;
  until: string;
}

/** 'SampleProducers' query type */
export interface SampleProducersQuery {
  params: SampleProducersParams;
  result: SampleProducersResult;
}

const sampleProducersIR: any = {"usedParamSet":{"minutes":true,"types":true,"organizationId":true,"queueName":true,"perType":true,"top":true},"params":[{"name":"minutes","required":true,"transform":{"type":"scalar"},"locs":[{"a":482,"b":490}]},{"name":"types","required":false,"transform":{"type":"scalar"},"locs":[{"a":620,"b":625},{"a":1172,"b":1177},{"a":1694,"b":1699}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":783,"b":798},{"a":1219,"b":1234},{"a":2019,"b":2034}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":819,"b":829},{"a":1898,"b":1908},{"a":2055,"b":2065}]},{"name":"perType","required":true,"transform":{"type":"scalar"},"locs":[{"a":963,"b":971},{"a":1346,"b":1354},{"a":1652,"b":1660}]},{"name":"top","required":true,"transform":{"type":"scalar"},"locs":[{"a":2240,"b":2244},{"a":2382,"b":2386},{"a":3031,"b":3035}]}],"statement":"-- Who created the newest jobs of a queue: by creator, type and tag, the most frequent :top of each.\n-- :types its job types; the newest :perType of each are looked at, and of these only those of the period that is known of every type.\n-- null: the newest :perType jobs of the organization are looked at, of whichever queue.\n-- Relies on jobs_of_type and jobs_newest, whose conditions it repeats.\nWITH clock AS (\n  SELECT current_ts() AS until, current_ts() - make_interval(mins => :minutes!::integer) AS since\n), of_types AS (\n  SELECT j.*, count(*) OVER (PARTITION BY j.job_type) AS found FROM clock CROSS JOIN unnest(:types::text[]) AS t (name) CROSS JOIN LATERAL (\n    SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o\n    WHERE o.organization_id = :organizationId! AND o.queue_name = :queueName! AND o.queue_name >= '' AND o.job_type = t.name\n      AND o.created_at > clock.since\n    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer\n  ) AS j\n), of_all AS (\n  SELECT j.*, count(*) OVER () AS found FROM clock CROSS JOIN LATERAL (\n    SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o\n    WHERE :types::text[] IS NULL AND o.organization_id = :organizationId! AND o.created_at > '-infinity' AND o.created_at > clock.since\n    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer\n  ) AS j\n), looked_at AS MATERIALIZED (\n  SELECT * FROM of_types UNION ALL SELECT * FROM of_all\n), covered AS MATERIALIZED (\n  SELECT coalesce(max(cut.oldest), clock.since) AS since, clock.until\n  FROM clock LEFT JOIN (\n    SELECT min(created_at) AS oldest FROM looked_at WHERE found >= :perType!::integer\n    GROUP BY CASE WHEN :types::text[] IS NULL THEN '' ELSE job_type END\n  ) AS cut ON true\n  GROUP BY clock.since, clock.until\n), sample AS MATERIALIZED (\n  SELECT l.* FROM looked_at l CROSS JOIN covered c WHERE l.queue_name = :queueName! AND l.created_at >= c.since AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = :queueName! AND l.created_at <= x.deleted_until)\n), creators AS (\n  SELECT created_by AS name, count(*) AS jobs FROM sample GROUP BY created_by ORDER BY count(*) DESC, created_by LIMIT :top!::integer\n), types AS (\n  SELECT job_type AS name, count(*) AS jobs FROM sample GROUP BY job_type ORDER BY count(*) DESC, job_type LIMIT :top!::integer\n), tags AS (\n  SELECT left(t.name, 255) AS name, count(*) AS jobs FROM sample s CROSS JOIN LATERAL (\n    SELECT DISTINCT names.name FROM (\n      SELECT k AS name FROM jsonb_object_keys(CASE WHEN jsonb_typeof(s.tags) = 'object' THEN s.tags ELSE '{}' END) AS k\n      UNION ALL\n      SELECT e #>> '{}' FROM jsonb_array_elements(CASE WHEN jsonb_typeof(s.tags) = 'array' THEN s.tags ELSE '[]' END) AS e\n      WHERE jsonb_typeof(e) = 'string'\n      UNION ALL\n      SELECT s.tags #>> '{}' WHERE jsonb_typeof(s.tags) = 'string'\n    ) AS names\n    LIMIT 20\n  ) AS t\n  GROUP BY left(t.name, 255) ORDER BY count(*) DESC, left(t.name, 255) LIMIT :top!::integer\n)\nSELECT c.since AS \"since!\", c.until AS \"until!\", c.since > (SELECT since FROM clock) AS \"is_cut!\", (SELECT count(*) FROM sample) AS \"jobs!\",\n  (SELECT coalesce(json_agg(x), '[]') FROM creators x) AS \"creators!\",\n  (SELECT coalesce(json_agg(x), '[]') FROM types x) AS \"types!\",\n  (SELECT coalesce(json_agg(x), '[]') FROM tags x) AS \"tags!\"\nFROM covered c"};

/**
 * Query generated from SQL:
 * ```
 * -- Who created the newest jobs of a queue: by creator, type and tag, the most frequent :top of each.
 * -- :types its job types; the newest :perType of each are looked at, and of these only those of the period that is known of every type.
 * -- null: the newest :perType jobs of the organization are looked at, of whichever queue.
 * -- Relies on jobs_of_type and jobs_newest, whose conditions it repeats.
 * WITH clock AS (
 *   SELECT current_ts() AS until, current_ts() - make_interval(mins => :minutes!::integer) AS since
 * ), of_types AS (
 *   SELECT j.*, count(*) OVER (PARTITION BY j.job_type) AS found FROM clock CROSS JOIN unnest(:types::text[]) AS t (name) CROSS JOIN LATERAL (
 *     SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o
 *     WHERE o.organization_id = :organizationId! AND o.queue_name = :queueName! AND o.queue_name >= '' AND o.job_type = t.name
 *       AND o.created_at > clock.since
 *     ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
 *   ) AS j
 * ), of_all AS (
 *   SELECT j.*, count(*) OVER () AS found FROM clock CROSS JOIN LATERAL (
 *     SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o
 *     WHERE :types::text[] IS NULL AND o.organization_id = :organizationId! AND o.created_at > '-infinity' AND o.created_at > clock.since
 *     ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
 *   ) AS j
 * ), looked_at AS MATERIALIZED (
 *   SELECT * FROM of_types UNION ALL SELECT * FROM of_all
 * ), covered AS MATERIALIZED (
 *   SELECT coalesce(max(cut.oldest), clock.since) AS since, clock.until
 *   FROM clock LEFT JOIN (
 *     SELECT min(created_at) AS oldest FROM looked_at WHERE found >= :perType!::integer
 *     GROUP BY CASE WHEN :types::text[] IS NULL THEN '' ELSE job_type END
 *   ) AS cut ON true
 *   GROUP BY clock.since, clock.until
 * ), sample AS MATERIALIZED (
 *   SELECT l.* FROM looked_at l CROSS JOIN covered c WHERE l.queue_name = :queueName! AND l.created_at >= c.since AND NOT EXISTS (
 *     SELECT FROM queue_deletions x
 *     WHERE x.organization_id = :organizationId! AND x.queue_name = :queueName! AND l.created_at <= x.deleted_until)
 * ), creators AS (
 *   SELECT created_by AS name, count(*) AS jobs FROM sample GROUP BY created_by ORDER BY count(*) DESC, created_by LIMIT :top!::integer
 * ), types AS (
 *   SELECT job_type AS name, count(*) AS jobs FROM sample GROUP BY job_type ORDER BY count(*) DESC, job_type LIMIT :top!::integer
 * ), tags AS (
 *   SELECT left(t.name, 255) AS name, count(*) AS jobs FROM sample s CROSS JOIN LATERAL (
 *     SELECT DISTINCT names.name FROM (
 *       SELECT k AS name FROM jsonb_object_keys(CASE WHEN jsonb_typeof(s.tags) = 'object' THEN s.tags ELSE '{}' END) AS k
 *       UNION ALL
 *       SELECT e #>> '{}' FROM jsonb_array_elements(CASE WHEN jsonb_typeof(s.tags) = 'array' THEN s.tags ELSE '[]' END) AS e
 *       WHERE jsonb_typeof(e) = 'string'
 *       UNION ALL
 *       SELECT s.tags #>> '{}' WHERE jsonb_typeof(s.tags) = 'string'
 *     ) AS names
 *     LIMIT 20
 *   ) AS t
 *   GROUP BY left(t.name, 255) ORDER BY count(*) DESC, left(t.name, 255) LIMIT :top!::integer
 * )
 * SELECT c.since AS "since!", c.until AS "until!", c.since > (SELECT since FROM clock) AS "is_cut!", (SELECT count(*) FROM sample) AS "jobs!",
 *   (SELECT coalesce(json_agg(x), '[]') FROM creators x) AS "creators!",
 *   (SELECT coalesce(json_agg(x), '[]') FROM types x) AS "types!",
 *   (SELECT coalesce(json_agg(x), '[]') FROM tags x) AS "tags!"
 * FROM covered c
 * ```
 */
export const sampleProducers = new PreparedQuery<SampleProducersParams,SampleProducersResult>(sampleProducersIR);


