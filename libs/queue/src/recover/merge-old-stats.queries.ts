// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './merge-old-stats.sql';

export interface MergeOldStatsParams {
  limit: number;
}

export interface MergeOldStatsResult {
  merged: number;
}

export const mergeOldStats = new PreparedQuery<MergeOldStatsParams, MergeOldStatsResult>(sql, 'mergeOldStats');
