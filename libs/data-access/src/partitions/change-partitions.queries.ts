/** Types generated for queries found in "libs/data-access/src/partitions/change-partitions.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'LimitLockWait' parameters type */
export type LimitLockWaitParams = void;

/** 'LimitLockWait' return type */
export interface LimitLockWaitResult {
  timeout: string;
}

/** 'LimitLockWait' query type */
export interface LimitLockWaitQuery {
  params: LimitLockWaitParams;
  result: LimitLockWaitResult;
}

const limitLockWaitIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT set_config('lock_timeout', '500ms', true) AS \"timeout!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT set_config('lock_timeout', '500ms', true) AS "timeout!"
 * ```
 */
export const limitLockWait = new PreparedQuery<LimitLockWaitParams,LimitLockWaitResult>(limitLockWaitIR);


/** 'CreatePartition' parameters type */
export interface CreatePartitionParams {
  table: string;
  week: string;
}

/** 'CreatePartition' return type */
export interface CreatePartitionResult {
  done: boolean | null;
}

/** 'CreatePartition' query type */
export interface CreatePartitionQuery {
  params: CreatePartitionParams;
  result: CreatePartitionResult;
}

const createPartitionIR: any = {"usedParamSet":{"table":true,"week":true},"params":[{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":33}]},{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":36,"b":41}]}],"statement":"SELECT create_partition_v1(:table!, :week!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT create_partition_v1(:table!, :week!) AS done
 * ```
 */
export const createPartition = new PreparedQuery<CreatePartitionParams,CreatePartitionResult>(createPartitionIR);


/** 'AttachPartition' parameters type */
export interface AttachPartitionParams {
  table: string;
  week: string;
}

/** 'AttachPartition' return type */
export interface AttachPartitionResult {
  done: undefined | null;
}

/** 'AttachPartition' query type */
export interface AttachPartitionQuery {
  params: AttachPartitionParams;
  result: AttachPartitionResult;
}

const attachPartitionIR: any = {"usedParamSet":{"table":true,"week":true},"params":[{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":33}]},{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":36,"b":41}]}],"statement":"SELECT attach_partition_v1(:table!, :week!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT attach_partition_v1(:table!, :week!) AS done
 * ```
 */
export const attachPartition = new PreparedQuery<AttachPartitionParams,AttachPartitionResult>(attachPartitionIR);


/** 'DetachPartition' parameters type */
export interface DetachPartitionParams {
  table: string;
  week: string;
}

/** 'DetachPartition' return type */
export interface DetachPartitionResult {
  done: undefined | null;
}

/** 'DetachPartition' query type */
export interface DetachPartitionQuery {
  params: DetachPartitionParams;
  result: DetachPartitionResult;
}

const detachPartitionIR: any = {"usedParamSet":{"table":true,"week":true},"params":[{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":33}]},{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":36,"b":41}]}],"statement":"SELECT detach_partition_v1(:table!, :week!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT detach_partition_v1(:table!, :week!) AS done
 * ```
 */
export const detachPartition = new PreparedQuery<DetachPartitionParams,DetachPartitionResult>(detachPartitionIR);


/** 'DropPartition' parameters type */
export interface DropPartitionParams {
  table: string;
  week: string;
}

/** 'DropPartition' return type */
export interface DropPartitionResult {
  done: undefined | null;
}

/** 'DropPartition' query type */
export interface DropPartitionQuery {
  params: DropPartitionParams;
  result: DropPartitionResult;
}

const dropPartitionIR: any = {"usedParamSet":{"table":true,"week":true},"params":[{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":25,"b":31}]},{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":34,"b":39}]}],"statement":"SELECT drop_partition_v1(:table!, :week!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT drop_partition_v1(:table!, :week!) AS done
 * ```
 */
export const dropPartition = new PreparedQuery<DropPartitionParams,DropPartitionResult>(dropPartitionIR);


/** 'BeginCompaction' parameters type */
export interface BeginCompactionParams {
  week: string;
}

/** 'BeginCompaction' return type */
export interface BeginCompactionResult {
  begun: boolean | null;
}

/** 'BeginCompaction' query type */
export interface BeginCompactionQuery {
  params: BeginCompactionParams;
  result: BeginCompactionResult;
}

const beginCompactionIR: any = {"usedParamSet":{"week":true},"params":[{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":32}]}],"statement":"SELECT begin_compaction_v1(:week!) AS begun"};

/**
 * Query generated from SQL:
 * ```
 * SELECT begin_compaction_v1(:week!) AS begun
 * ```
 */
export const beginCompaction = new PreparedQuery<BeginCompactionParams,BeginCompactionResult>(beginCompactionIR);


/** 'FinishCompaction' parameters type */
export interface FinishCompactionParams {
  week: string;
}

/** 'FinishCompaction' return type */
export interface FinishCompactionResult {
  done: undefined | null;
}

/** 'FinishCompaction' query type */
export interface FinishCompactionQuery {
  params: FinishCompactionParams;
  result: FinishCompactionResult;
}

const finishCompactionIR: any = {"usedParamSet":{"week":true},"params":[{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":28,"b":33}]}],"statement":"SELECT finish_compaction_v1(:week!) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT finish_compaction_v1(:week!) AS done
 * ```
 */
export const finishCompaction = new PreparedQuery<FinishCompactionParams,FinishCompactionResult>(finishCompactionIR);


