// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-api-key.sql';

export type stringArray = (string)[];

export interface FindApiKeyParams {
  lookup: string;
}

export interface FindApiKeyResult {
  apiKeyId: string;
  customLimits: unknown | null;
  digest: string;
  expiresAt: string | null;
  name: string;
  organizationId: string;
  planTier: string;
  position: number;
  queues: stringArray;
  rateLimit: number | null;
  readAt: number;
  role: string;
}

export const findApiKey = new PreparedQuery<FindApiKeyParams, FindApiKeyResult>(sql, 'findApiKey');
