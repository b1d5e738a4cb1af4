// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-overdue.sql';

export interface FindOverdueParams {
  afterOrganization: string;
  bySeconds: number;
  limit: number;
  organizations: number;
}

export interface FindOverdueResult {
  id: string;
  is_last: boolean;
  organization_id: string;
}

export const findOverdue = new PreparedQuery<FindOverdueParams, FindOverdueResult>(sql, 'findOverdue');
