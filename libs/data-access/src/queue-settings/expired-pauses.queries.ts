// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './expired-pauses.sql';

export interface FindExpiredPausesParams {
  limit: number;
}

export interface FindExpiredPausesResult {
  organization_id: string;
  queue_name: string;
}

export const findExpiredPauses = new PreparedQuery<FindExpiredPausesParams, FindExpiredPausesResult>(sql, 'findExpiredPauses');
