// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-inbound-refusals.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteInboundRefusalsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteInboundRefusalsResult {
  deleted: number;
}

export const deleteInboundRefusals = new PreparedQuery<DeleteInboundRefusalsParams, DeleteInboundRefusalsResult>(sql, 'deleteInboundRefusals');
