// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-job-deliveries.sql';

export interface ListJobDeliveriesParams {
  id: string;
  limit: number;
  organizationId: string;
}

export interface ListJobDeliveriesResult {
  attempts: number;
  created_at: string;
  delivered_at: string | null;
  error: string | null;
  event: string;
  id: string;
  status: string;
  status_code: number | null;
  total: number;
  url: string | null;
  webhook_id: string | null;
}

export const listJobDeliveries = new PreparedQuery<ListJobDeliveriesParams, ListJobDeliveriesResult>(sql, 'listJobDeliveries');
