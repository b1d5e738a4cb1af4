// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-api-key.sql';

export type stringArray = (string)[];

export interface FindApiKeyParams {
  lookup: string;
}

export interface FindApiKeyResult {
  custom_limits: unknown | null;
  expires_at: string | null;
  id: string;
  key_digest: string;
  name: string;
  organization_id: string;
  plan_tier: string;
  position: number;
  queues: stringArray;
  rate_limit: number | null;
  read_at: number;
  role: string;
}

export const findApiKey = new PreparedQuery<FindApiKeyParams, FindApiKeyResult>(sql, 'findApiKey');
