// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './refused-logins.sql';

export interface FindRefusedKeyParams {
  lookup: string;
}

export interface FindRefusedKeyResult {
  id: string;
  organization_id: string;
  reason: string;
}

export interface LockRefusedKeyParams {
  keyId: string;
}

export interface LockRefusedKeyResult {
  locked: boolean;
}

export interface RecordRefusedLoginParams {
  keyId: string;
  organizationId: string;
  reason: string;
}

export interface RecordRefusedLoginResult {
  done: undefined | null;
}

export const findRefusedKey = new PreparedQuery<FindRefusedKeyParams, FindRefusedKeyResult>(sql, 'findRefusedKey');
export const lockRefusedKey = new PreparedQuery<LockRefusedKeyParams, LockRefusedKeyResult>(sql, 'lockRefusedKey');
export const recordRefusedLogin = new PreparedQuery<RecordRefusedLoginParams, RecordRefusedLoginResult>(sql, 'recordRefusedLogin');
