// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-offline-workers.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteOfflineWorkersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteOfflineWorkersResult {
  deleted: number;
}

export const deleteOfflineWorkers = new PreparedQuery<DeleteOfflineWorkersParams, DeleteOfflineWorkersResult>(sql, 'deleteOfflineWorkers');
