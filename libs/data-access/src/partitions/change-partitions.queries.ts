// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './change-partitions.sql';

export interface CreatePartitionParams {
  table: string;
  week: string;
}

export interface CreatePartitionResult {
  done: boolean | null;
}

export interface AttachPartitionParams {
  table: string;
  week: string;
}

export interface AttachPartitionResult {
  done: undefined | null;
}

export interface DetachPartitionParams {
  table: string;
  week: string;
}

export interface DetachPartitionResult {
  done: undefined | null;
}

export interface DropPartitionParams {
  table: string;
  week: string;
}

export interface DropPartitionResult {
  done: undefined | null;
}

export interface BeginCompactionParams {
  week: string;
}

export interface BeginCompactionResult {
  begun: boolean | null;
}

export interface FinishCompactionParams {
  week: string;
}

export interface FinishCompactionResult {
  done: undefined | null;
}

export const createPartition = new PreparedQuery<CreatePartitionParams, CreatePartitionResult>(sql, 'createPartition');
export const attachPartition = new PreparedQuery<AttachPartitionParams, AttachPartitionResult>(sql, 'attachPartition');
export const detachPartition = new PreparedQuery<DetachPartitionParams, DetachPartitionResult>(sql, 'detachPartition');
export const dropPartition = new PreparedQuery<DropPartitionParams, DropPartitionResult>(sql, 'dropPartition');
export const beginCompaction = new PreparedQuery<BeginCompactionParams, BeginCompactionResult>(sql, 'beginCompaction');
export const finishCompaction = new PreparedQuery<FinishCompactionParams, FinishCompactionResult>(sql, 'finishCompaction');
