// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './merge-worker-counts.sql';

export interface MergeWorkerCountsParams {
  limit: number;
}

export interface MergeWorkerCountsResult {
  merged: number;
}

export const mergeWorkerCounts = new PreparedQuery<MergeWorkerCountsParams, MergeWorkerCountsResult>(sql, 'mergeWorkerCounts');
