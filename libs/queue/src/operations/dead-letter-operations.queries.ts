/** Types generated for queries found in "libs/queue/src/operations/dead-letter-operations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'TakeDeadLetters' parameters type */
export interface TakeDeadLettersParams {
  deadUntil: string;
  filter: string;
  limit: number;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

/** 'TakeDeadLetters' return type */
export interface TakeDeadLettersResult {
  job_id: string;
}

/** 'TakeDeadLetters' query type */
export interface TakeDeadLettersQuery {
  params: TakeDeadLettersParams;
  result: TakeDeadLettersResult;
}

const takeDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"deadUntil":true,"operationId":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":318,"b":333},{"a":410,"b":425}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":428,"b":434}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":437,"b":444}]},{"name":"deadUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":447,"b":457}]},{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":535,"b":547}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":614,"b":620}]}],"statement":"-- Locks the next dead letters of an operation, the oldest first, without those that it has had already. Rows that others hold are\n-- left for a later step. :deadUntil as for matching_dead_letters_v1. Relies on: dead_letters_oldest or dead_letters_groups.\nSELECT d.job_id FROM dead_letters d\nWHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(\n  SELECT m.job_id FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m\n  WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)\n  ORDER BY m.created_at, m.job_id LIMIT :limit!))\nORDER BY d.created_at, d.job_id FOR UPDATE SKIP LOCKED"};

/**
 * Query generated from SQL:
 * ```
 * -- Locks the next dead letters of an operation, the oldest first, without those that it has had already. Rows that others hold are
 * -- left for a later step. :deadUntil as for matching_dead_letters_v1. Relies on: dead_letters_oldest or dead_letters_groups.
 * SELECT d.job_id FROM dead_letters d
 * WHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(
 *   SELECT m.job_id FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
 *   WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
 *   ORDER BY m.created_at, m.job_id LIMIT :limit!))
 * ORDER BY d.created_at, d.job_id FOR UPDATE SKIP LOCKED
 * ```
 */
export const takeDeadLetters = new PreparedQuery<TakeDeadLettersParams,TakeDeadLettersResult>(takeDeadLettersIR);


/** 'HasMoreDeadLetters' parameters type */
export interface HasMoreDeadLettersParams {
  deadUntil: string;
  filter: string;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

/** 'HasMoreDeadLetters' return type */
export interface HasMoreDeadLettersResult {
  more: boolean;
}

/** 'HasMoreDeadLetters' query type */
export interface HasMoreDeadLettersQuery {
  params: HasMoreDeadLettersParams;
  result: HasMoreDeadLettersResult;
}

const hasMoreDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"deadUntil":true,"operationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":111,"b":126}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":129,"b":135}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":138,"b":145}]},{"name":"deadUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":148,"b":158}]},{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":236,"b":248}]}],"statement":"-- Whether any is left, also of those that others hold.\nSELECT EXISTS (\n  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m\n  WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)\n) AS \"more!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Whether any is left, also of those that others hold.
 * SELECT EXISTS (
 *   SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
 *   WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
 * ) AS "more!"
 * ```
 */
export const hasMoreDeadLetters = new PreparedQuery<HasMoreDeadLettersParams,HasMoreDeadLettersResult>(hasMoreDeadLettersIR);


/** 'ReadPayloads' parameters type */
export interface ReadPayloadsParams {
  ids: stringArray;
  maxBytes: number;
  organizationId: string;
}

/** 'ReadPayloads' return type */
export interface ReadPayloadsResult {
  id: string;
  payload: string | null;
  queue_name: string | null;
}

/** 'ReadPayloads' query type */
export interface ReadPayloadsQuery {
  params: ReadPayloadsParams;
  result: ReadPayloadsResult;
}

const readPayloadsIR: any = {"usedParamSet":{"ids":true,"organizationId":true,"maxBytes":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":263,"b":267}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":407,"b":422}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":675,"b":684}]}],"statement":"-- The payloads of these jobs in the order of :ids, as many as fit into :maxBytes and at least one; null for a record that is gone.\nWITH found AS (\n  SELECT x.id, x.place, j.queue_name, j.payload, coalesce(octet_length(j.payload::text), 0) AS bytes\n  FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS x (id, place)\n  LEFT JOIN LATERAL (SELECT queue_name, payload FROM jobs WHERE id = x.id AND organization_id = :organizationId! OFFSET 0) AS j ON true\n), sized AS (\n  SELECT id, place, queue_name, payload, sum(bytes) OVER (ORDER BY place) - bytes AS bytes_before FROM found\n)\nSELECT id AS \"id!\", queue_name AS \"queue_name?\", payload AS \"payload?\" FROM sized WHERE bytes_before < :maxBytes! OR bytes_before = 0 ORDER BY place"};

/**
 * Query generated from SQL:
 * ```
 * -- The payloads of these jobs in the order of :ids, as many as fit into :maxBytes and at least one; null for a record that is gone.
 * WITH found AS (
 *   SELECT x.id, x.place, j.queue_name, j.payload, coalesce(octet_length(j.payload::text), 0) AS bytes
 *   FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS x (id, place)
 *   LEFT JOIN LATERAL (SELECT queue_name, payload FROM jobs WHERE id = x.id AND organization_id = :organizationId! OFFSET 0) AS j ON true
 * ), sized AS (
 *   SELECT id, place, queue_name, payload, sum(bytes) OVER (ORDER BY place) - bytes AS bytes_before FROM found
 * )
 * SELECT id AS "id!", queue_name AS "queue_name?", payload AS "payload?" FROM sized WHERE bytes_before < :maxBytes! OR bytes_before = 0 ORDER BY place
 * ```
 */
export const readPayloads = new PreparedQuery<ReadPayloadsParams,ReadPayloadsResult>(readPayloadsIR);


/** 'WritePayloads' parameters type */
export interface WritePayloadsParams {
  ids: stringArray;
  jobTypes: stringArray;
  organizationId: string;
  payloads: stringArray;
}

/** 'WritePayloads' return type */
export type WritePayloadsResult = void;

/** 'WritePayloads' query type */
export interface WritePayloadsQuery {
  params: WritePayloadsParams;
  result: WritePayloadsResult;
}

const writePayloadsIR: any = {"usedParamSet":{"ids":true,"payloads":true,"jobTypes":true,"organizationId":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":101,"b":105},{"a":221,"b":225}]},{"name":"payloads","required":true,"transform":{"type":"scalar"},"locs":[{"a":116,"b":125}]},{"name":"jobTypes","required":true,"transform":{"type":"scalar"},"locs":[{"a":136,"b":145}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":260,"b":275},{"a":406,"b":421}]}],"statement":"WITH written AS (\n  UPDATE jobs j SET payload = x.payload::json, job_type = x.job_type\n  FROM unnest(:ids!::uuid[], :payloads!::text[], :jobTypes!::text[]) AS x (id, payload, job_type)\n  WHERE j.id = x.id AND j.id = ANY (:ids!::uuid[]) AND j.organization_id = :organizationId! AND j.outcome IS NOT NULL\n  RETURNING j.id\n)\nINSERT INTO job_history (organization_id, job_id, at, event, actor, details)\nSELECT :organizationId!, id, current_ts(statement_timestamp()), 'payload_patched', nullif(current_setting('app.actor', true), ''),\n  json_build_object('reason', nullif(current_setting('app.reason', true), ''))\nFROM written"};

/**
 * Query generated from SQL:
 * ```
 * WITH written AS (
 *   UPDATE jobs j SET payload = x.payload::json, job_type = x.job_type
 *   FROM unnest(:ids!::uuid[], :payloads!::text[], :jobTypes!::text[]) AS x (id, payload, job_type)
 *   WHERE j.id = x.id AND j.id = ANY (:ids!::uuid[]) AND j.organization_id = :organizationId! AND j.outcome IS NOT NULL
 *   RETURNING j.id
 * )
 * INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
 * SELECT :organizationId!, id, current_ts(statement_timestamp()), 'payload_patched', nullif(current_setting('app.actor', true), ''),
 *   json_build_object('reason', nullif(current_setting('app.reason', true), ''))
 * FROM written
 * ```
 */
export const writePayloads = new PreparedQuery<WritePayloadsParams,WritePayloadsResult>(writePayloadsIR);


/** 'RecordItems' parameters type */
export interface RecordItemsParams {
  errors: stringArray;
  ids: stringArray;
  operationId: string;
  organizationId: string;
}

/** 'RecordItems' return type */
export type RecordItemsResult = void;

/** 'RecordItems' query type */
export interface RecordItemsQuery {
  params: RecordItemsParams;
  result: RecordItemsResult;
}

const recordItemsIR: any = {"usedParamSet":{"operationId":true,"organizationId":true,"ids":true,"errors":true},"params":[{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":155,"b":167}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":170,"b":185}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":282,"b":286}]},{"name":"errors","required":true,"transform":{"type":"scalar"},"locs":[{"a":297,"b":304}]}],"statement":"-- :errors why a job was not replayed; empty for those that were.\nINSERT INTO operation_items (operation_id, organization_id, job_id, state, error)\nSELECT :operationId!, :organizationId!, x.id, CASE x.error WHEN '' THEN 'waiting' ELSE 'refused' END, nullif(x.error, '')\nFROM unnest(:ids!::uuid[], :errors!::text[]) AS x (id, error)"};

/**
 * Query generated from SQL:
 * ```
 * -- :errors why a job was not replayed; empty for those that were.
 * INSERT INTO operation_items (operation_id, organization_id, job_id, state, error)
 * SELECT :operationId!, :organizationId!, x.id, CASE x.error WHEN '' THEN 'waiting' ELSE 'refused' END, nullif(x.error, '')
 * FROM unnest(:ids!::uuid[], :errors!::text[]) AS x (id, error)
 * ```
 */
export const recordItems = new PreparedQuery<RecordItemsParams,RecordItemsResult>(recordItemsIR);


/** 'SettleItems' parameters type */
export interface SettleItemsParams {
  limit: number;
  operationId: string;
  organizationId: string;
}

/** 'SettleItems' return type */
export interface SettleItemsResult {
  ended_otherwise: number;
  failed: number;
  failed_once: number;
  succeeded: number;
  tried: number;
}

/** 'SettleItems' query type */
export interface SettleItemsQuery {
  params: SettleItemsParams;
  result: SettleItemsResult;
}

const settleItemsIR: any = {"usedParamSet":{"operationId":true,"organizationId":true,"limit":true},"params":[{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":305,"b":317},{"a":1204,"b":1216}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":341,"b":356}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":408,"b":414}]}],"statement":"-- Finds out how replayed jobs do, those first that were looked at the longest ago. A record that is gone has ended otherwise.\n-- tried and failed_once: those of which that is known for the first time.\nWITH chosen AS MATERIALIZED (\n  SELECT job_id, failed_once FROM operation_items\n  WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'waiting'\n  ORDER BY checked_at LIMIT :limit!\n), found AS (\n  SELECT c.job_id, c.failed_once, CASE\n      WHEN j.outcome IS NULL OR j.outcome = 'cancelled' THEN 'ended_otherwise'\n      WHEN j.outcome = 'live' THEN 'waiting'\n      WHEN j.outcome = 'completed' THEN 'succeeded'\n      ELSE 'failed' END AS state,\n    coalesce(j.outcome = 'deadletter' OR j.retry_count > 0, false) AS has_failed\n  FROM chosen c LEFT JOIN LATERAL (\n    SELECT coalesce(outcome::text, 'live') AS outcome, coalesce(q.retry_count, jobs.retry_count) AS retry_count\n    FROM jobs LEFT JOIN job_queue q ON q.job_id = jobs.id WHERE jobs.id = c.job_id OFFSET 0) AS j ON true\n), settled AS (\n  UPDATE operation_items i SET checked_at = current_ts(clock_timestamp()), state = f.state, failed_once = f.failed_once OR f.has_failed\n  FROM found f WHERE i.operation_id = :operationId! AND i.job_id = f.job_id\n  RETURNING f.state, f.has_failed, f.failed_once\n)\nSELECT\n  count(*) FILTER (WHERE state = 'succeeded') AS \"succeeded!\",\n  count(*) FILTER (WHERE state = 'failed') AS \"failed!\",\n  count(*) FILTER (WHERE state = 'ended_otherwise') AS \"ended_otherwise!\",\n  count(*) FILTER (WHERE NOT failed_once AND (has_failed OR state = 'succeeded')) AS \"tried!\",\n  count(*) FILTER (WHERE NOT failed_once AND has_failed) AS \"failed_once!\"\nFROM settled"};

/**
 * Query generated from SQL:
 * ```
 * -- Finds out how replayed jobs do, those first that were looked at the longest ago. A record that is gone has ended otherwise.
 * -- tried and failed_once: those of which that is known for the first time.
 * WITH chosen AS MATERIALIZED (
 *   SELECT job_id, failed_once FROM operation_items
 *   WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'waiting'
 *   ORDER BY checked_at LIMIT :limit!
 * ), found AS (
 *   SELECT c.job_id, c.failed_once, CASE
 *       WHEN j.outcome IS NULL OR j.outcome = 'cancelled' THEN 'ended_otherwise'
 *       WHEN j.outcome = 'live' THEN 'waiting'
 *       WHEN j.outcome = 'completed' THEN 'succeeded'
 *       ELSE 'failed' END AS state,
 *     coalesce(j.outcome = 'deadletter' OR j.retry_count > 0, false) AS has_failed
 *   FROM chosen c LEFT JOIN LATERAL (
 *     SELECT coalesce(outcome::text, 'live') AS outcome, coalesce(q.retry_count, jobs.retry_count) AS retry_count
 *     FROM jobs LEFT JOIN job_queue q ON q.job_id = jobs.id WHERE jobs.id = c.job_id OFFSET 0) AS j ON true
 * ), settled AS (
 *   UPDATE operation_items i SET checked_at = current_ts(clock_timestamp()), state = f.state, failed_once = f.failed_once OR f.has_failed
 *   FROM found f WHERE i.operation_id = :operationId! AND i.job_id = f.job_id
 *   RETURNING f.state, f.has_failed, f.failed_once
 * )
 * SELECT
 *   count(*) FILTER (WHERE state = 'succeeded') AS "succeeded!",
 *   count(*) FILTER (WHERE state = 'failed') AS "failed!",
 *   count(*) FILTER (WHERE state = 'ended_otherwise') AS "ended_otherwise!",
 *   count(*) FILTER (WHERE NOT failed_once AND (has_failed OR state = 'succeeded')) AS "tried!",
 *   count(*) FILTER (WHERE NOT failed_once AND has_failed) AS "failed_once!"
 * FROM settled
 * ```
 */
export const settleItems = new PreparedQuery<SettleItemsParams,SettleItemsResult>(settleItemsIR);


