// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './console-sessions.sql';

export interface InsertConsoleLoginParams {
  apiKeyId: string;
  codeHash: string;
  organizationId: string;
  seconds: number;
}

export interface InsertConsoleLoginResult {
  expires_at: string;
}

export interface BindConsoleLoginParams {
  browserHash: string;
  codeHash: string;
}

export interface BindConsoleLoginResult {
  api_key_id: string;
  expires_at: string;
}

export interface TakeConsoleLoginParams {
  browserHash: string;
  codeHash: string;
}

export interface TakeConsoleLoginResult {
  api_key_id: string;
  is_current: boolean;
}

export interface InsertAdministratorSessionParams {
  seconds: number;
  sessionId: string;
}

export type InsertAdministratorSessionResult = void;

export interface FindAdministratorSessionParams {
  sessionId: string;
}

export interface FindAdministratorSessionResult {
  session_id: string;
}

export interface DeleteAdministratorSessionParams {
  sessionId: string;
}

export type DeleteAdministratorSessionResult = void;

export const insertConsoleLogin = new PreparedQuery<InsertConsoleLoginParams, InsertConsoleLoginResult>(sql, 'insertConsoleLogin');
export const bindConsoleLogin = new PreparedQuery<BindConsoleLoginParams, BindConsoleLoginResult>(sql, 'bindConsoleLogin');
export const takeConsoleLogin = new PreparedQuery<TakeConsoleLoginParams, TakeConsoleLoginResult>(sql, 'takeConsoleLogin');
export const insertAdministratorSession = new PreparedQuery<InsertAdministratorSessionParams, InsertAdministratorSessionResult>(sql, 'insertAdministratorSession');
export const findAdministratorSession = new PreparedQuery<FindAdministratorSessionParams, FindAdministratorSessionResult>(sql, 'findAdministratorSession');
export const deleteAdministratorSession = new PreparedQuery<DeleteAdministratorSessionParams, DeleteAdministratorSessionResult>(sql, 'deleteAdministratorSession');
