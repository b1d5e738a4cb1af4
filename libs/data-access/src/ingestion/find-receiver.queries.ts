// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-receiver.sql';

export interface FindReceiverParams {
  organizationId: string;
}

export interface FindReceiverResult {
  custom_limits: unknown | null;
  github_secret: string | null;
  plan_tier: string;
  stripe_secret: string | null;
  token: string | null;
}

export const findReceiver = new PreparedQuery<FindReceiverParams, FindReceiverResult>(sql, 'findReceiver');
