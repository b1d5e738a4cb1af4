// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './revoke-session.sql';

export interface RevokeSessionParams {
  organizationId: string;
  seconds: number;
  sessionId: string;
}

export type RevokeSessionResult = void;

export const revokeSession = new PreparedQuery<RevokeSessionParams, RevokeSessionResult>(sql, 'revokeSession');
