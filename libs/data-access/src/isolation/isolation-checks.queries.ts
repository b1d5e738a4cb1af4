// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './isolation-checks.sql';

export type stringArray = (string)[];

export interface RecordIsolationCheckParams {
  findings: string;
  passed: boolean;
  tablesChecked: number;
  tablesNotChecked: stringArray;
  tookMs: number;
  version: string;
}

export interface RecordIsolationCheckResult {
  findings: unknown;
  finished_at: string;
  id: string;
  passed: boolean;
  started_at: string;
  tables_checked: number;
  tables_not_checked: stringArray;
  version: string;
}

export interface TrimIsolationChecksParams {
  kept: number;
}

export type TrimIsolationChecksResult = void;

export interface ListIsolationChecksParams {
  after?: string | null | void;
  limit: number;
  offset: number;
}

export interface ListIsolationChecksResult {
  findings: unknown;
  finished_at: string;
  id: string;
  passed: boolean;
  started_at: string;
  tables_checked: number;
  tables_not_checked: stringArray;
  version: string;
}

export interface FindLatestIsolationCheckParams {
  version: string;
}

export interface FindLatestIsolationCheckResult {
  age_ms: number;
  checked_by_version: boolean;
  finished_at: string | null;
  is_complete: boolean;
  passed: boolean | null;
}

export const recordIsolationCheck = new PreparedQuery<RecordIsolationCheckParams, RecordIsolationCheckResult>(sql, 'recordIsolationCheck');
export const trimIsolationChecks = new PreparedQuery<TrimIsolationChecksParams, TrimIsolationChecksResult>(sql, 'trimIsolationChecks');
export const listIsolationChecks = new PreparedQuery<ListIsolationChecksParams, ListIsolationChecksResult>(sql, 'listIsolationChecks');
export const findLatestIsolationCheck = new PreparedQuery<FindLatestIsolationCheckParams, FindLatestIsolationCheckResult>(sql, 'findLatestIsolationCheck');
