// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-usage-counters.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteUsageCountersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteUsageCountersResult {
  deleted: number;
}

export const deleteUsageCounters = new PreparedQuery<DeleteUsageCountersParams, DeleteUsageCountersResult>(sql, 'deleteUsageCounters');
