// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './retry-delivery.sql';

export interface RetryDeliveryParams {
  deliveryId: string;
  maxAttempts: number;
  webhookId: string;
}

export interface RetryDeliveryResult {
  attempts: number | null;
  enabled: boolean | null;
  retried: boolean;
  status: string | null;
}

export const retryDelivery = new PreparedQuery<RetryDeliveryParams, RetryDeliveryResult>(sql, 'retryDelivery');
