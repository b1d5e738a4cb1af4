// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-old-operations.sql';

export interface DeleteOldOperationsParams {
  days: number;
  limit: number;
}

export interface DeleteOldOperationsResult {
  deleted: number;
}

export const deleteOldOperations = new PreparedQuery<DeleteOldOperationsParams, DeleteOldOperationsResult>(sql, 'deleteOldOperations');
