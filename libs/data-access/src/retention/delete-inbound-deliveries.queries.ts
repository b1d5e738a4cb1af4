// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-inbound-deliveries.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteInboundDeliveriesParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteInboundDeliveriesResult {
  deleted: number;
}

export const deleteInboundDeliveries = new PreparedQuery<DeleteInboundDeliveriesParams, DeleteInboundDeliveriesResult>(sql, 'deleteInboundDeliveries');
