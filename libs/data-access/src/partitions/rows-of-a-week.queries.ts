// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './rows-of-a-week.sql';

export type LockDefaultPartitionParams = void;

export type LockDefaultPartitionResult = void;

export interface MoveDefaultRowsParams {
  week: string;
}

export interface MoveDefaultRowsResult {
  moved: number;
}

export interface MeasureKeptJobsParams {
  days: number;
}

export interface MeasureKeptJobsResult {
  bytes: number;
  kept: number;
  kept_bytes: number;
}

export interface DeleteReferencesOfFinishedJobsParams {
  days: number;
}

export type DeleteReferencesOfFinishedJobsResult = void;

export interface MoveKeptJobsParams {
  days: number;
}

export type MoveKeptJobsResult = void;

export interface CopyKeptJobsParams {
  after: string;
  days: number;
  limit: number;
}

export interface CopyKeptJobsResult {
  id: string;
}

export const lockDefaultPartition = new PreparedQuery<LockDefaultPartitionParams, LockDefaultPartitionResult>(sql, 'lockDefaultPartition');
export const moveDefaultRows = new PreparedQuery<MoveDefaultRowsParams, MoveDefaultRowsResult>(sql, 'moveDefaultRows');
export const measureKeptJobs = new PreparedQuery<MeasureKeptJobsParams, MeasureKeptJobsResult>(sql, 'measureKeptJobs');
export const deleteReferencesOfFinishedJobs = new PreparedQuery<DeleteReferencesOfFinishedJobsParams, DeleteReferencesOfFinishedJobsResult>(sql, 'deleteReferencesOfFinishedJobs');
export const moveKeptJobs = new PreparedQuery<MoveKeptJobsParams, MoveKeptJobsResult>(sql, 'moveKeptJobs');
export const copyKeptJobs = new PreparedQuery<CopyKeptJobsParams, CopyKeptJobsResult>(sql, 'copyKeptJobs');
