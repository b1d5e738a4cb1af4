// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './delete-old-dead-letter-counts.sql';

export interface DeleteOldDeadLetterCountsParams {
  limit: number;
}

export interface DeleteOldDeadLetterCountsResult {
  deleted: number;
}

export interface DeleteEmptyDeadLetterGroupsParams {
  limit: number;
}

export interface DeleteEmptyDeadLetterGroupsResult {
  deleted: number;
}

export const deleteOldDeadLetterCounts = new PreparedQuery<DeleteOldDeadLetterCountsParams, DeleteOldDeadLetterCountsResult>(sql, 'deleteOldDeadLetterCounts');
export const deleteEmptyDeadLetterGroups = new PreparedQuery<DeleteEmptyDeadLetterGroupsParams, DeleteEmptyDeadLetterGroupsResult>(sql, 'deleteEmptyDeadLetterGroups');
