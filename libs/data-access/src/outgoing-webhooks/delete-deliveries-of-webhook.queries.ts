// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-deliveries-of-webhook.sql';

export interface DeleteDeliveriesOfWebhookParams {
  limit: number;
  organizationId: string;
  webhookId: string;
}

export interface DeleteDeliveriesOfWebhookResult {
  deleted: number;
}

export const deleteDeliveriesOfWebhook = new PreparedQuery<DeleteDeliveriesOfWebhookParams, DeleteDeliveriesOfWebhookResult>(sql, 'deleteDeliveriesOfWebhook');
