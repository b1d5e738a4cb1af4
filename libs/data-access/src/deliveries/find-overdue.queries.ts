// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-overdue.sql';

export interface FindOverdueParams {
  afterId: string;
  afterTime: string;
  bySeconds: number;
  limit: number;
}

export interface FindOverdueResult {
  id: string;
  next_attempt_at: string;
  organization_id: string;
}

export const findOverdue = new PreparedQuery<FindOverdueParams, FindOverdueResult>(sql, 'findOverdue');
