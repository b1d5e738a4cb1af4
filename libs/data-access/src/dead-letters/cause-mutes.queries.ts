// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './cause-mutes.sql';

export type ListCauseMutesParams = void;

export interface ListCauseMutesResult {
  cause_id: string;
  created_at: string;
  created_by: string | null;
  error: string;
  expires_at: string;
  reason: string;
}

export type DeleteExpiredCauseMutesParams = void;

export type DeleteExpiredCauseMutesResult = void;

export interface CountCauseMutesParams {
  causeId: string;
}

export interface CountCauseMutesResult {
  mutes: number;
}

export interface MuteCauseParams {
  causeId: string;
  createdBy?: string | null | void;
  reason: string;
  seconds: number;
}

export interface MuteCauseResult {
  cause_id: string;
  created_at: string;
  created_by: string | null;
  error: string;
  expires_at: string;
  reason: string;
}

export interface UnmuteCauseParams {
  causeId: string;
}

export interface UnmuteCauseResult {
  cause_id: string;
}

export const listCauseMutes = new PreparedQuery<ListCauseMutesParams, ListCauseMutesResult>(sql, 'listCauseMutes');
export const deleteExpiredCauseMutes = new PreparedQuery<DeleteExpiredCauseMutesParams, DeleteExpiredCauseMutesResult>(sql, 'deleteExpiredCauseMutes');
export const countCauseMutes = new PreparedQuery<CountCauseMutesParams, CountCauseMutesResult>(sql, 'countCauseMutes');
export const muteCause = new PreparedQuery<MuteCauseParams, MuteCauseResult>(sql, 'muteCause');
export const unmuteCause = new PreparedQuery<UnmuteCauseParams, UnmuteCauseResult>(sql, 'unmuteCause');
