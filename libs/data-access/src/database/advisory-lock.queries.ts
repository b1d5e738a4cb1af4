// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from './prepared-query.js';
import sql from './advisory-lock.sql';

export interface KeepTransactionOpenParams {
  idleMs: string;
}

export interface KeepTransactionOpenResult {
  set: string;
}

export interface TryAdvisoryLockParams {
  name: string;
}

export interface TryAdvisoryLockResult {
  acquired: boolean;
}

export type StayConnectedParams = void;

export interface StayConnectedResult {
  one: number;
}

export interface IsAdvisoryLockHeldParams {
  name: string;
}

export interface IsAdvisoryLockHeldResult {
  held: boolean;
}

export const keepTransactionOpen = new PreparedQuery<KeepTransactionOpenParams, KeepTransactionOpenResult>(sql, 'keepTransactionOpen');
export const tryAdvisoryLock = new PreparedQuery<TryAdvisoryLockParams, TryAdvisoryLockResult>(sql, 'tryAdvisoryLock');
export const stayConnected = new PreparedQuery<StayConnectedParams, StayConnectedResult>(sql, 'stayConnected');
export const isAdvisoryLockHeld = new PreparedQuery<IsAdvisoryLockHeldParams, IsAdvisoryLockHeldResult>(sql, 'isAdvisoryLockHeld');
