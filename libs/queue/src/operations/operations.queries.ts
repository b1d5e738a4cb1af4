/** Types generated for queries found in "libs/queue/src/operations/operations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindDueOperations' parameters type */
export interface FindDueOperationsParams {
  limit: number;
}

/** 'FindDueOperations' return type */
export interface FindDueOperationsResult {
  id: string;
  kind: string;
  organization_id: string;
}

/** 'FindDueOperations' query type */
export interface FindDueOperationsQuery {
  params: FindDueOperationsParams;
  result: FindDueOperationsResult;
}

const findDueOperationsIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":267,"b":273}]}],"statement":"-- Operations whose next step is due, the longest overdue first. Across all tenants, so as spooled_system. Relies on: operations_due.\nSELECT id, organization_id, kind FROM operations WHERE next_step_at <= current_ts(statement_timestamp()) ORDER BY next_step_at LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- Operations whose next step is due, the longest overdue first. Across all tenants, so as spooled_system. Relies on: operations_due.
 * SELECT id, organization_id, kind FROM operations WHERE next_step_at <= current_ts(statement_timestamp()) ORDER BY next_step_at LIMIT :limit!
 * ```
 */
export const findDueOperations = new PreparedQuery<FindDueOperationsParams,FindDueOperationsResult>(findDueOperationsIR);


/** 'LockOperation' parameters type */
export interface LockOperationParams {
  id: string;
  organizationId: string;
}

/** 'LockOperation' return type */
export interface LockOperationResult {
  actor: string | null;
  created_at: string;
  ended_at: string | null;
  ended_otherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  now: string;
  payload_patch: string | null;
  processed: number;
  progress: unknown | null;
  queues: stringArray;
  rate_used_until: string | null;
  reason: string | null;
  refused: number;
  settings: unknown;
  state: string;
  succeeded: number;
}

/** 'LockOperation' query type */
export interface LockOperationQuery {
  params: LockOperationParams;
  result: LockOperationResult;
}

const lockOperationIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":343,"b":358}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":369,"b":372}]}],"statement":"-- Locks an operation for one step. No row: another process is at it, or the step is no longer due.\nUPDATE operations o SET\n  state = CASE WHEN o.state = 'pending' THEN 'running' ELSE o.state END, started_at = coalesce(o.started_at, current_ts(clock_timestamp()))\nWHERE o.id = ANY (ARRAY(\n  SELECT id FROM operations\n  WHERE organization_id = :organizationId! AND id = :id! AND next_step_at <= current_ts(clock_timestamp()) FOR UPDATE SKIP LOCKED))\nRETURNING o.id, o.kind, o.state, o.queues, o.filter, o.settings, o.payload_patch, o.processed, o.refused, o.succeeded, o.failed,\n  o.ended_otherwise, o.reason, o.actor, o.created_at, o.ended_at, o.rate_used_until, o.progress, current_ts(clock_timestamp()) AS \"now!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Locks an operation for one step. No row: another process is at it, or the step is no longer due.
 * UPDATE operations o SET
 *   state = CASE WHEN o.state = 'pending' THEN 'running' ELSE o.state END, started_at = coalesce(o.started_at, current_ts(clock_timestamp()))
 * WHERE o.id = ANY (ARRAY(
 *   SELECT id FROM operations
 *   WHERE organization_id = :organizationId! AND id = :id! AND next_step_at <= current_ts(clock_timestamp()) FOR UPDATE SKIP LOCKED))
 * RETURNING o.id, o.kind, o.state, o.queues, o.filter, o.settings, o.payload_patch, o.processed, o.refused, o.succeeded, o.failed,
 *   o.ended_otherwise, o.reason, o.actor, o.created_at, o.ended_at, o.rate_used_until, o.progress, current_ts(clock_timestamp()) AS "now!"
 * ```
 */
export const lockOperation = new PreparedQuery<LockOperationParams,LockOperationResult>(lockOperationIR);


/** 'SaveProgress' parameters type */
export interface SaveProgressParams {
  endedOtherwise: number;
  failed: number;
  id: string;
  organizationId: string;
  processed: number;
  progress?: string | null | void;
  rateUsedUntil?: string | null | void;
  reason?: string | null | void;
  refused: number;
  state: string;
  succeeded: number;
  waitMs?: number | null | void;
}

/** 'SaveProgress' return type */
export type SaveProgressResult = void;

/** 'SaveProgress' query type */
export interface SaveProgressQuery {
  params: SaveProgressParams;
  result: SaveProgressResult;
}

const saveProgressIR: any = {"usedParamSet":{"state":true,"processed":true,"refused":true,"succeeded":true,"failed":true,"endedOtherwise":true,"reason":true,"rateUsedUntil":true,"progress":true,"waitMs":true,"organizationId":true,"id":true},"params":[{"name":"state","required":true,"transform":{"type":"scalar"},"locs":[{"a":114,"b":120},{"a":452,"b":458}]},{"name":"processed","required":true,"transform":{"type":"scalar"},"locs":[{"a":147,"b":157}]},{"name":"refused","required":true,"transform":{"type":"scalar"},"locs":[{"a":180,"b":188}]},{"name":"succeeded","required":true,"transform":{"type":"scalar"},"locs":[{"a":215,"b":225}]},{"name":"failed","required":true,"transform":{"type":"scalar"},"locs":[{"a":248,"b":255}]},{"name":"endedOtherwise","required":true,"transform":{"type":"scalar"},"locs":[{"a":294,"b":309}]},{"name":"reason","required":false,"transform":{"type":"scalar"},"locs":[{"a":321,"b":327}]},{"name":"rateUsedUntil","required":false,"transform":{"type":"scalar"},"locs":[{"a":364,"b":377}]},{"name":"progress","required":false,"transform":{"type":"scalar"},"locs":[{"a":400,"b":408}]},{"name":"waitMs","required":false,"transform":{"type":"scalar"},"locs":[{"a":605,"b":611}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":672,"b":687}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":698,"b":701}]}],"statement":"-- :waitMs until the next step; null = there is none. :progress null = as it was.\nUPDATE operations SET\n  state = :state!, processed = processed + :processed!, refused = refused + :refused!, succeeded = succeeded + :succeeded!,\n  failed = failed + :failed!, ended_otherwise = ended_otherwise + :endedOtherwise!, reason = :reason, failures = 0,\n  rate_used_until = :rateUsedUntil, progress = coalesce(:progress::jsonb, progress),\n  ended_at = CASE WHEN :state! IN ('pending', 'running') THEN NULL ELSE coalesce(ended_at, current_ts(clock_timestamp())) END,\n  next_step_at = current_ts(clock_timestamp()) + :waitMs::float8 * interval '1 millisecond'\nWHERE organization_id = :organizationId! AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * -- :waitMs until the next step; null = there is none. :progress null = as it was.
 * UPDATE operations SET
 *   state = :state!, processed = processed + :processed!, refused = refused + :refused!, succeeded = succeeded + :succeeded!,
 *   failed = failed + :failed!, ended_otherwise = ended_otherwise + :endedOtherwise!, reason = :reason, failures = 0,
 *   rate_used_until = :rateUsedUntil, progress = coalesce(:progress::jsonb, progress),
 *   ended_at = CASE WHEN :state! IN ('pending', 'running') THEN NULL ELSE coalesce(ended_at, current_ts(clock_timestamp())) END,
 *   next_step_at = current_ts(clock_timestamp()) + :waitMs::float8 * interval '1 millisecond'
 * WHERE organization_id = :organizationId! AND id = :id!
 * ```
 */
export const saveProgress = new PreparedQuery<SaveProgressParams,SaveProgressResult>(saveProgressIR);


/** 'PostponeOperation' parameters type */
export interface PostponeOperationParams {
  failures: number;
  id: string;
  organizationId: string;
  reason: string;
}

/** 'PostponeOperation' return type */
export type PostponeOperationResult = void;

/** 'PostponeOperation' query type */
export interface PostponeOperationQuery {
  params: PostponeOperationParams;
  result: PostponeOperationResult;
}

const postponeOperationIR: any = {"usedParamSet":{"reason":true,"failures":true,"organizationId":true,"id":true},"params":[{"name":"reason","required":true,"transform":{"type":"scalar"},"locs":[{"a":125,"b":132}]},{"name":"failures","required":true,"transform":{"type":"scalar"},"locs":[{"a":163,"b":172}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":329,"b":344}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":355,"b":358}]}],"statement":"-- After a step that failed or could do nothing; longer after each failure, at most a minute.\nUPDATE operations SET reason = :reason!, failures = least(failures + :failures!::integer, 100),\n  next_step_at = current_ts(clock_timestamp()) + least(power(2, least(failures, 6)) + 4, 60) * interval '1 second'\nWHERE organization_id = :organizationId! AND id = :id! AND next_step_at IS NOT NULL"};

/**
 * Query generated from SQL:
 * ```
 * -- After a step that failed or could do nothing; longer after each failure, at most a minute.
 * UPDATE operations SET reason = :reason!, failures = least(failures + :failures!::integer, 100),
 *   next_step_at = current_ts(clock_timestamp()) + least(power(2, least(failures, 6)) + 4, 60) * interval '1 second'
 * WHERE organization_id = :organizationId! AND id = :id! AND next_step_at IS NOT NULL
 * ```
 */
export const postponeOperation = new PreparedQuery<PostponeOperationParams,PostponeOperationResult>(postponeOperationIR);


/** 'ReadPlan' parameters type */
export interface ReadPlanParams {
  organizationId: string;
}

/** 'ReadPlan' return type */
export interface ReadPlanResult {
  custom_limits: unknown | null;
  plan_tier: string;
}

/** 'ReadPlan' query type */
export interface ReadPlanQuery {
  params: ReadPlanParams;
  result: ReadPlanResult;
}

const readPlanIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":62,"b":77}]}],"statement":"SELECT plan_tier, custom_limits FROM organizations WHERE id = :organizationId!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT plan_tier, custom_limits FROM organizations WHERE id = :organizationId!
 * ```
 */
export const readPlan = new PreparedQuery<ReadPlanParams,ReadPlanResult>(readPlanIR);


