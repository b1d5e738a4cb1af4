// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from './prepared-query.js';
import sql from './force-index-plans.sql';

export type ForceIndexPlansParams = void;

export interface ForceIndexPlansResult {
  hashjoin: string;
  mergejoin: string;
  planning: string;
  seqscan: string;
}

export const forceIndexPlans = new PreparedQuery<ForceIndexPlansParams, ForceIndexPlansResult>(sql, 'forceIndexPlans');
