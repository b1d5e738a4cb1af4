// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-plans.sql';

export interface ListOrganizationPlansParams {
  after: string;
  limit: number;
}

export interface ListOrganizationPlansResult {
  customLimits: unknown | null;
  organizationId: string;
  planTier: string;
}

export const listOrganizationPlans = new PreparedQuery<ListOrganizationPlansParams, ListOrganizationPlansResult>(sql, 'listOrganizationPlans');
