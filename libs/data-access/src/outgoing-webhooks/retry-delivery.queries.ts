// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './retry-delivery.sql';

export interface RetryDeliveryParams {
  deliveryId: string;
  maxAttempts: number;
  maxRetries: number;
  webhookId: string;
}

export interface RetryDeliveryResult {
  enabled: boolean | null;
  is_queued: boolean;
  is_used_up: boolean;
  retried: boolean;
  status: string | null;
}

export const retryDelivery = new PreparedQuery<RetryDeliveryParams, RetryDeliveryResult>(sql, 'retryDelivery');
