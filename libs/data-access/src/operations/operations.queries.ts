/** Types generated for queries found in "libs/data-access/src/operations/operations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'LockOperations' parameters type */
export interface LockOperationsParams {
  organizationId: string;
}

/** 'LockOperations' return type */
export interface LockOperationsResult {
  done: undefined | null;
}

/** 'LockOperations' query type */
export interface LockOperationsQuery {
  params: LockOperationsParams;
  result: LockOperationsResult;
}

const lockOperationsIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":172,"b":187}]}],"statement":"-- Held until the end of the transaction, so that the count below does not change before its insert is seen.\nSELECT pg_advisory_xact_lock(hashtextextended('operations:' || :organizationId!::text, 0)) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Held until the end of the transaction, so that the count below does not change before its insert is seen.
 * SELECT pg_advisory_xact_lock(hashtextextended('operations:' || :organizationId!::text, 0)) AS done
 * ```
 */
export const lockOperations = new PreparedQuery<LockOperationsParams,LockOperationsResult>(lockOperationsIR);


/** 'CreateOperation' parameters type */
export interface CreateOperationParams {
  actor?: string | null | void;
  filter: string;
  holdSeconds?: number | null | void;
  kind: string;
  maxOpen: number;
  organizationId: string;
  payloadPatch?: string | null | void;
  queues: stringArray;
  settings: string;
  total?: number | null | void;
}

/** 'CreateOperation' return type */
export interface CreateOperationResult {
  actor: string | null;
  created_at: string;
  ended_at: string | null;
  ended_otherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  payload_patch: string | null;
  processed: number;
  queues: stringArray;
  reason: string | null;
  refused: number;
  settings: unknown;
  started_at: string | null;
  starts_at: string | null;
  state: string;
  succeeded: number;
  total: number | null;
}

/** 'CreateOperation' query type */
export interface CreateOperationQuery {
  params: CreateOperationParams;
  result: CreateOperationResult;
}

const createOperationIR: any = {"usedParamSet":{"organizationId":true,"kind":true,"queues":true,"filter":true,"settings":true,"payloadPatch":true,"total":true,"actor":true,"holdSeconds":true,"maxOpen":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":270,"b":285},{"a":602,"b":617}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":288,"b":293}]},{"name":"queues","required":true,"transform":{"type":"scalar"},"locs":[{"a":296,"b":303}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":306,"b":313}]},{"name":"settings","required":true,"transform":{"type":"scalar"},"locs":[{"a":316,"b":325}]},{"name":"payloadPatch","required":false,"transform":{"type":"scalar"},"locs":[{"a":328,"b":340}]},{"name":"total","required":false,"transform":{"type":"scalar"},"locs":[{"a":343,"b":348}]},{"name":"actor","required":false,"transform":{"type":"scalar"},"locs":[{"a":359,"b":364}]},{"name":"holdSeconds","required":false,"transform":{"type":"scalar"},"locs":[{"a":378,"b":389},{"a":441,"b":452}]},{"name":"maxOpen","required":true,"transform":{"type":"scalar"},"locs":[{"a":659,"b":667}]}],"statement":"-- After lockOperations. No row: the organization has :maxOpen operations in progress. :holdSeconds before its first step; null = none.\nINSERT INTO operations (organization_id, kind, queues, filter, settings, payload_patch, total, actor, starts_at, next_step_at)\nSELECT :organizationId!, :kind!, :queues!, :filter!, :settings!, :payloadPatch, :total::bigint, :actor,\n  now.at + :holdSeconds::integer * interval '1 second', now.at + coalesce(:holdSeconds::integer, 0) * interval '1 second'\nFROM current_ts(clock_timestamp()) AS now (at)\nWHERE (\n  SELECT count(*) FROM operations WHERE organization_id = :organizationId! AND state IN ('pending', 'running')\n) < :maxOpen!\nRETURNING id, kind, CASE WHEN starts_at IS NULL THEN state ELSE 'held' END AS \"state!\", queues, filter, settings, payload_patch, total,\n  processed, refused, succeeded, failed, ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at"};

/**
 * Query generated from SQL:
 * ```
 * -- After lockOperations. No row: the organization has :maxOpen operations in progress. :holdSeconds before its first step; null = none.
 * INSERT INTO operations (organization_id, kind, queues, filter, settings, payload_patch, total, actor, starts_at, next_step_at)
 * SELECT :organizationId!, :kind!, :queues!, :filter!, :settings!, :payloadPatch, :total::bigint, :actor,
 *   now.at + :holdSeconds::integer * interval '1 second', now.at + coalesce(:holdSeconds::integer, 0) * interval '1 second'
 * FROM current_ts(clock_timestamp()) AS now (at)
 * WHERE (
 *   SELECT count(*) FROM operations WHERE organization_id = :organizationId! AND state IN ('pending', 'running')
 * ) < :maxOpen!
 * RETURNING id, kind, CASE WHEN starts_at IS NULL THEN state ELSE 'held' END AS "state!", queues, filter, settings, payload_patch, total,
 *   processed, refused, succeeded, failed, ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at
 * ```
 */
export const createOperation = new PreparedQuery<CreateOperationParams,CreateOperationResult>(createOperationIR);


/** 'ListOperations' parameters type */
export interface ListOperationsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  kind?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
  state?: string | null | void;
}

/** 'ListOperations' return type */
export interface ListOperationsResult {
  actor: string | null;
  created_at: string;
  ended_at: string | null;
  ended_otherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  payload_patch: string | null;
  processed: number;
  queues: stringArray;
  reason: string | null;
  refused: number;
  settings: unknown;
  started_at: string | null;
  starts_at: string | null;
  state: string;
  succeeded: number;
  total: number | null;
}

/** 'ListOperations' query type */
export interface ListOperationsQuery {
  params: ListOperationsParams;
  result: ListOperationsResult;
}

const listOperationsIR: any = {"usedParamSet":{"organizationId":true,"id":true,"afterTime":true,"afterId":true,"rows":true,"queues":true,"kind":true,"state":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":540,"b":555}]},{"name":"id","required":false,"transform":{"type":"scalar"},"locs":[{"a":562,"b":564},{"a":588,"b":590}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":602,"b":611},{"a":657,"b":666}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":669,"b":676}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":728,"b":733}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":917,"b":923},{"a":973,"b":979}]},{"name":"kind","required":false,"transform":{"type":"scalar"},"locs":[{"a":989,"b":993},{"a":1019,"b":1023}]},{"name":"state","required":false,"transform":{"type":"scalar"},"locs":[{"a":1031,"b":1036},{"a":1069,"b":1074}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1117,"b":1123}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1132,"b":1139}]}],"statement":"-- One page, the newest first, among the next :rows. :queues that the caller may access, null = all; :kind and :state null = any; :id null = all;\n-- :afterTime and :afterId of the last operation of the previous page, null = the first page.\n-- Relies on: operations_newest.\nSELECT id, kind, shown.state AS \"state!\", queues, filter, settings, payload_patch, total, processed, refused, succeeded, failed,\n  ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at\nFROM (\n  SELECT * FROM operations\n  WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)\n    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY created_at DESC, id DESC LIMIT :rows!\n) AS next\nCROSS JOIN LATERAL (\n  SELECT CASE WHEN next.state = 'pending' AND starts_at > current_ts(statement_timestamp()) THEN 'held' ELSE next.state END AS state\n) AS shown\nWHERE (:queues::text[] IS NULL OR queues <> '{}' AND queues <@ :queues)\n  AND (:kind::text IS NULL OR kind = :kind) AND (:state::text IS NULL OR shown.state = :state)\nORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page, the newest first, among the next :rows. :queues that the caller may access, null = all; :kind and :state null = any; :id null = all;
 * -- :afterTime and :afterId of the last operation of the previous page, null = the first page.
 * -- Relies on: operations_newest.
 * SELECT id, kind, shown.state AS "state!", queues, filter, settings, payload_patch, total, processed, refused, succeeded, failed,
 *   ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at
 * FROM (
 *   SELECT * FROM operations
 *   WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
 *     AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY created_at DESC, id DESC LIMIT :rows!
 * ) AS next
 * CROSS JOIN LATERAL (
 *   SELECT CASE WHEN next.state = 'pending' AND starts_at > current_ts(statement_timestamp()) THEN 'held' ELSE next.state END AS state
 * ) AS shown
 * WHERE (:queues::text[] IS NULL OR queues <> '{}' AND queues <@ :queues)
 *   AND (:kind::text IS NULL OR kind = :kind) AND (:state::text IS NULL OR shown.state = :state)
 * ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listOperations = new PreparedQuery<ListOperationsParams,ListOperationsResult>(listOperationsIR);


/** 'FindOperationsEnd' parameters type */
export interface FindOperationsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId: string;
  rows: number;
}

/** 'FindOperationsEnd' return type */
export interface FindOperationsEndResult {
  at: string;
  id: string;
}

/** 'FindOperationsEnd' query type */
export interface FindOperationsEndQuery {
  params: FindOperationsEndParams;
  result: FindOperationsEndResult;
}

const findOperationsEndIR: any = {"usedParamSet":{"organizationId":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":124,"b":139}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":146,"b":155},{"a":201,"b":210}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":213,"b":220}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":279,"b":284}]}],"statement":"-- The last of the next :rows; none if there are fewer.\nSELECT created_at AS at, id FROM operations\nWHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows; none if there are fewer.
 * SELECT created_at AS at, id FROM operations
 * WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findOperationsEnd = new PreparedQuery<FindOperationsEndParams,FindOperationsEndResult>(findOperationsEndIR);


/** 'ListRefusedItems' parameters type */
export interface ListRefusedItemsParams {
  limit: number;
  operationId: string;
  organizationId: string;
}

/** 'ListRefusedItems' return type */
export interface ListRefusedItemsResult {
  error: string;
  job_id: string;
}

/** 'ListRefusedItems' query type */
export interface ListRefusedItemsQuery {
  params: ListRefusedItemsParams;
  result: ListRefusedItemsResult;
}

const listRefusedItemsIR: any = {"usedParamSet":{"operationId":true,"organizationId":true,"limit":true},"params":[{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":75,"b":87}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":111,"b":126}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":184,"b":190}]}],"statement":"SELECT job_id, error AS \"error!\" FROM operation_items\nWHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'refused' ORDER BY checked_at, job_id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id, error AS "error!" FROM operation_items
 * WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'refused' ORDER BY checked_at, job_id LIMIT :limit!
 * ```
 */
export const listRefusedItems = new PreparedQuery<ListRefusedItemsParams,ListRefusedItemsResult>(listRefusedItemsIR);


/** 'CancelOperation' parameters type */
export interface CancelOperationParams {
  id: string;
  kept: stringArray;
  organizationId: string;
}

/** 'CancelOperation' return type */
export interface CancelOperationResult {
  id: string;
}

/** 'CancelOperation' query type */
export interface CancelOperationQuery {
  params: CancelOperationParams;
  result: CancelOperationResult;
}

const cancelOperationIR: any = {"usedParamSet":{"organizationId":true,"id":true,"kept":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":404,"b":419}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":430,"b":433}]},{"name":"kept","required":true,"transform":{"type":"scalar"},"locs":[{"a":488,"b":493}]}],"statement":"-- Waits for a step in progress. No row: it has ended. What has not begun has nothing left to watch.\nUPDATE operations SET state = 'cancelled', ended_at = current_ts(clock_timestamp()),\n  next_step_at = CASE WHEN started_at IS NULL THEN NULL ELSE current_ts(clock_timestamp()) END,\n  reason = CASE WHEN started_at IS NULL THEN 'Cancelled before it began: nothing was changed' END\nWHERE organization_id = :organizationId! AND id = :id! AND state IN ('pending', 'running') AND kind <> ALL (:kept!::text[])\nRETURNING id"};

/**
 * Query generated from SQL:
 * ```
 * -- Waits for a step in progress. No row: it has ended. What has not begun has nothing left to watch.
 * UPDATE operations SET state = 'cancelled', ended_at = current_ts(clock_timestamp()),
 *   next_step_at = CASE WHEN started_at IS NULL THEN NULL ELSE current_ts(clock_timestamp()) END,
 *   reason = CASE WHEN started_at IS NULL THEN 'Cancelled before it began: nothing was changed' END
 * WHERE organization_id = :organizationId! AND id = :id! AND state IN ('pending', 'running') AND kind <> ALL (:kept!::text[])
 * RETURNING id
 * ```
 */
export const cancelOperation = new PreparedQuery<CancelOperationParams,CancelOperationResult>(cancelOperationIR);


/** 'PreviewDeadLetters' parameters type */
export interface PreviewDeadLettersParams {
  filter: string;
  maxCounted: number;
  organizationId: string;
  scope: stringArray;
}

/** 'PreviewDeadLetters' return type */
export interface PreviewDeadLettersResult {
  count: number;
}

/** 'PreviewDeadLetters' query type */
export interface PreviewDeadLettersQuery {
  params: PreviewDeadLettersParams;
  result: PreviewDeadLettersResult;
}

const previewDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"maxCounted":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":157,"b":172}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":175,"b":181}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":184,"b":191}]},{"name":"maxCounted","required":true,"transform":{"type":"scalar"},"locs":[{"a":231,"b":242}]}],"statement":"-- The number of dead letters that an operation would take, up to :maxCounted + 1.\nSELECT count(*) AS \"count!\" FROM (\n  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp())) LIMIT :maxCounted!::integer + 1\n) m"};

/**
 * Query generated from SQL:
 * ```
 * -- The number of dead letters that an operation would take, up to :maxCounted + 1.
 * SELECT count(*) AS "count!" FROM (
 *   SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp())) LIMIT :maxCounted!::integer + 1
 * ) m
 * ```
 */
export const previewDeadLetters = new PreparedQuery<PreviewDeadLettersParams,PreviewDeadLettersResult>(previewDeadLettersIR);


/** 'SampleDeadLetters' parameters type */
export interface SampleDeadLettersParams {
  filter: string;
  limit: number;
  organizationId: string;
  scope: stringArray;
}

/** 'SampleDeadLetters' return type */
export interface SampleDeadLettersResult {
  dead_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  payload: string;
  queue_name: string;
}

/** 'SampleDeadLetters' query type */
export interface SampleDeadLettersQuery {
  params: SampleDeadLettersParams;
  result: SampleDeadLettersResult;
}

const sampleDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"scope":true,"filter":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":218,"b":233}]},{"name":"scope","required":true,"transform":{"type":"scalar"},"locs":[{"a":236,"b":242}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":245,"b":252}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":322,"b":328}]}],"statement":"-- The first dead letters that an operation would take.\nSELECT j.id, j.queue_name, j.job_type, j.last_error, j.payload, m.dead_at AS \"dead_at!\"\nFROM (\n  SELECT job_id, created_at, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp()))\n  ORDER BY created_at, job_id LIMIT :limit!\n) m JOIN jobs j ON j.id = m.job_id\nORDER BY m.created_at, m.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- The first dead letters that an operation would take.
 * SELECT j.id, j.queue_name, j.job_type, j.last_error, j.payload, m.dead_at AS "dead_at!"
 * FROM (
 *   SELECT job_id, created_at, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp()))
 *   ORDER BY created_at, job_id LIMIT :limit!
 * ) m JOIN jobs j ON j.id = m.job_id
 * ORDER BY m.created_at, m.job_id
 * ```
 */
export const sampleDeadLetters = new PreparedQuery<SampleDeadLettersParams,SampleDeadLettersResult>(sampleDeadLettersIR);


/** 'PreviewLiveJobs' parameters type */
export interface PreviewLiveJobsParams {
  filter: string;
  maxCounted: number;
  organizationId: string;
}

/** 'PreviewLiveJobs' return type */
export interface PreviewLiveJobsResult {
  count: number;
}

/** 'PreviewLiveJobs' query type */
export interface PreviewLiveJobsQuery {
  params: PreviewLiveJobsParams;
  result: PreviewLiveJobsResult;
}

const previewLiveJobsIR: any = {"usedParamSet":{"organizationId":true,"filter":true,"maxCounted":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":151,"b":166}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":169,"b":176}]},{"name":"maxCounted","required":true,"transform":{"type":"scalar"},"locs":[{"a":216,"b":227}]}],"statement":"-- The number of live jobs that an operation would take, up to :maxCounted + 1.\nSELECT count(*) AS \"count!\" FROM (\n  SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, current_ts(clock_timestamp())) LIMIT :maxCounted!::integer + 1\n) m"};

/**
 * Query generated from SQL:
 * ```
 * -- The number of live jobs that an operation would take, up to :maxCounted + 1.
 * SELECT count(*) AS "count!" FROM (
 *   SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, current_ts(clock_timestamp())) LIMIT :maxCounted!::integer + 1
 * ) m
 * ```
 */
export const previewLiveJobs = new PreparedQuery<PreviewLiveJobsParams,PreviewLiveJobsResult>(previewLiveJobsIR);


/** 'SampleLiveJobs' parameters type */
export interface SampleLiveJobsParams {
  filter: string;
  limit: number;
  organizationId: string;
}

/** 'SampleLiveJobs' return type */
export interface SampleLiveJobsResult {
  id: string;
  job_type: string;
  queue_name: string;
}

/** 'SampleLiveJobs' query type */
export interface SampleLiveJobsQuery {
  params: SampleLiveJobsParams;
  result: SampleLiveJobsResult;
}

const sampleLiveJobsIR: any = {"usedParamSet":{"organizationId":true,"filter":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":85,"b":100}]},{"name":"filter","required":true,"transform":{"type":"scalar"},"locs":[{"a":103,"b":110}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":150,"b":156}]}],"statement":"SELECT j.id, j.queue_name, j.job_type\nFROM (SELECT job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, current_ts(clock_timestamp())) LIMIT :limit!) m\nJOIN jobs j ON j.id = m.job_id"};

/**
 * Query generated from SQL:
 * ```
 * SELECT j.id, j.queue_name, j.job_type
 * FROM (SELECT job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, current_ts(clock_timestamp())) LIMIT :limit!) m
 * JOIN jobs j ON j.id = m.job_id
 * ```
 */
export const sampleLiveJobs = new PreparedQuery<SampleLiveJobsParams,SampleLiveJobsResult>(sampleLiveJobsIR);


/** 'ListFailedItems' parameters type */
export interface ListFailedItemsParams {
  limit: number;
  operationId: string;
  organizationId: string;
}

/** 'ListFailedItems' return type */
export interface ListFailedItemsResult {
  error: string | null;
  job_id: string;
}

/** 'ListFailedItems' query type */
export interface ListFailedItemsQuery {
  params: ListFailedItemsParams;
  result: ListFailedItemsResult;
}

const listFailedItemsIR: any = {"usedParamSet":{"operationId":true,"organizationId":true,"limit":true},"params":[{"name":"operationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":225,"b":237}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":261,"b":276},{"a":405,"b":420}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":333,"b":339}]}],"statement":"-- The first replayed jobs that failed again, with their last error. Relies on: operation_items_failed.\nSELECT i.job_id, j.last_error AS \"error?\"\nFROM (\n  SELECT job_id, checked_at FROM operation_items\n  WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'failed' ORDER BY checked_at, job_id LIMIT :limit!\n) i\nLEFT JOIN jobs j ON j.id = i.job_id AND j.organization_id = :organizationId!\nORDER BY i.checked_at, i.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- The first replayed jobs that failed again, with their last error. Relies on: operation_items_failed.
 * SELECT i.job_id, j.last_error AS "error?"
 * FROM (
 *   SELECT job_id, checked_at FROM operation_items
 *   WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'failed' ORDER BY checked_at, job_id LIMIT :limit!
 * ) i
 * LEFT JOIN jobs j ON j.id = i.job_id AND j.organization_id = :organizationId!
 * ORDER BY i.checked_at, i.job_id
 * ```
 */
export const listFailedItems = new PreparedQuery<ListFailedItemsParams,ListFailedItemsResult>(listFailedItemsIR);


