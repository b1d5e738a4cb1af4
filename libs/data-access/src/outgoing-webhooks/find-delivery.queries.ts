// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-delivery.sql';

export interface FindDeliveryParams {
  deliveryId: string;
  webhookId: string;
}

export interface FindDeliveryResult {
  attempt_history: unknown;
  attempts: number;
  created_at: string;
  delivered_at: string | null;
  error: string | null;
  event: string;
  held: boolean;
  id: string;
  next_attempt_at: string | null;
  payload: string;
  response_body: string | null;
  status: string;
  status_code: number | null;
  webhook_id: string;
}

export const findDelivery = new PreparedQuery<FindDeliveryParams, FindDeliveryResult>(sql, 'findDelivery');
