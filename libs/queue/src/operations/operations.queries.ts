// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './operations.sql';

export type stringArray = (string)[];

export interface FindDueOperationsParams {
  except: stringArray;
  limit: number;
}

export interface FindDueOperationsResult {
  failures: number;
  id: string;
  kind: string;
  organization_id: string;
}

export interface LockOperationParams {
  id: string;
  organizationId: string;
}

export interface LockOperationResult {
  actor: string | null;
  createdAt: string;
  endedAt: string | null;
  endedOtherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  now: string;
  payloadPatch: string | null;
  processed: number;
  progress: unknown | null;
  rateUsedUntil: string | null;
  reason: string | null;
  refused: number;
  scope: stringArray;
  settings: unknown;
  state: string;
  succeeded: number;
}

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

export type SaveProgressResult = void;

export interface PostponeOperationParams {
  failures: number;
  id: string;
  organizationId: string;
  reason: string;
}

export type PostponeOperationResult = void;

export interface ReadPlanParams {
  organizationId: string;
}

export interface ReadPlanResult {
  custom_limits: unknown | null;
  plan_tier: string;
}

export const findDueOperations = new PreparedQuery<FindDueOperationsParams, FindDueOperationsResult>(sql, 'findDueOperations');
export const lockOperation = new PreparedQuery<LockOperationParams, LockOperationResult>(sql, 'lockOperation');
export const saveProgress = new PreparedQuery<SaveProgressParams, SaveProgressResult>(sql, 'saveProgress');
export const postponeOperation = new PreparedQuery<PostponeOperationParams, PostponeOperationResult>(sql, 'postponeOperation');
export const readPlan = new PreparedQuery<ReadPlanParams, ReadPlanResult>(sql, 'readPlan');
