// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './resend-deliveries.sql';

export interface ResendDeliveriesParams {
  afterId: string;
  afterTime: string;
  filter: string;
  limit: number;
  maxAttempts: number;
  maxRetries: number;
  organizationId: string;
  until: string;
}

export interface ResendDeliveriesResult {
  created_at: string;
  held: boolean;
  id: string;
  was_sent: boolean;
}

export interface HasMoreDeliveriesParams {
  afterId: string;
  afterTime: string;
  filter: string;
  maxAttempts: number;
  maxRetries: number;
  until: string;
}

export interface HasMoreDeliveriesResult {
  more: boolean;
}

export interface IsWebhookEnabledParams {
  id: string;
  organizationId: string;
}

export interface IsWebhookEnabledResult {
  enabled: boolean;
}

export const resendDeliveries = new PreparedQuery<ResendDeliveriesParams, ResendDeliveriesResult>(sql, 'resendDeliveries');
export const hasMoreDeliveries = new PreparedQuery<HasMoreDeliveriesParams, HasMoreDeliveriesResult>(sql, 'hasMoreDeliveries');
export const isWebhookEnabled = new PreparedQuery<IsWebhookEnabledParams, IsWebhookEnabledResult>(sql, 'isWebhookEnabled');
