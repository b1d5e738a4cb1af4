// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-webhook-target.sql';

export interface FindWebhookTargetParams {
  id: string;
}

export interface FindWebhookTargetResult {
  format: string;
  previousSecret: string | null;
  secret: string | null;
  url: string;
}

export const findWebhookTarget = new PreparedQuery<FindWebhookTargetParams, FindWebhookTargetResult>(sql, 'findWebhookTarget');
