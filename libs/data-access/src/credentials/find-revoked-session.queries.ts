// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-revoked-session.sql';

export interface FindRevokedSessionParams {
  organizationId: string;
  sessionId: string;
}

export interface FindRevokedSessionResult {
  session_id: string;
}

export const findRevokedSession = new PreparedQuery<FindRevokedSessionParams, FindRevokedSessionResult>(sql, 'findRevokedSession');
