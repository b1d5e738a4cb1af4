// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-deliveries.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteDeliveriesParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteDeliveriesResult {
  deleted: number;
}

export const deleteDeliveries = new PreparedQuery<DeleteDeliveriesParams, DeleteDeliveriesResult>(sql, 'deleteDeliveries');
