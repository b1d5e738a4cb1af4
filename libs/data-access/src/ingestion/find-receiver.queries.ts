// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-receiver.sql';

export type stringArray = (string)[];

export interface FindReceiverParams {
  organizationId: string;
}

export interface FindReceiverResult {
  custom_limits: unknown | null;
  github_secrets: stringArray;
  plan_tier: string;
  standard_secrets: stringArray;
  stripe_secrets: stringArray;
  token: string | null;
}

export const findReceiver = new PreparedQuery<FindReceiverParams, FindReceiverResult>(sql, 'findReceiver');
