// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './require-receiver.sql';

export interface FindReceiverRefusalsParams {
  list: string;
  organizationId: string;
}

export interface FindReceiverRefusalsResult {
  refused: unknown;
}

export const findReceiverRefusals = new PreparedQuery<FindReceiverRefusalsParams, FindReceiverRefusalsResult>(sql, 'findReceiverRefusals');
