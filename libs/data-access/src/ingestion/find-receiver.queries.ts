// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-receiver.sql';

export type stringArray = (string)[];

export interface FindReceiverParams {
  organizationId: string;
}

export interface FindReceiverResult {
  customLimits: unknown | null;
  github: stringArray;
  planTier: string;
  standard: stringArray;
  stripe: stringArray;
  token: string | null;
}

export const findReceiver = new PreparedQuery<FindReceiverParams, FindReceiverResult>(sql, 'findReceiver');
