// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './save-queue-settings.sql';

export type stringArray = (string)[];

export interface SaveQueueSettingsParams {
  defaultRetries: number;
  defaultTimeout: number;
  enabled?: boolean | null | void;
  hidden: stringArray;
  maxRetries?: number | null | void;
  organizationId: string;
  queueName: string;
  rateLimit?: number | null | void;
  setRateLimit: boolean;
  settings?: string | null | void;
  timeoutSeconds?: number | null | void;
}

export interface SaveQueueSettingsResult {
  created_at: string;
  default_timeout: number;
  enabled: boolean;
  id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  rate_limit: number | null;
  savedAt: string;
  settings: string;
  settingsBytes: number;
  updated_at: string;
  wasEnabled: boolean;
  wasPausedAt: string | null;
}

export const saveQueueSettings = new PreparedQuery<SaveQueueSettingsParams, SaveQueueSettingsResult>(sql, 'saveQueueSettings');
