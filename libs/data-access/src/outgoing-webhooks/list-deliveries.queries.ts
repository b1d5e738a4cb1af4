// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-deliveries.sql';

export type stringArray = (string)[];

export interface ListDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  limit: number;
  maxBytes: number;
  offset: number;
  rows: number;
  statuses?: stringArray | null | void;
  webhookId: string;
}

export interface ListDeliveriesResult {
  attempts: number;
  created_at: string;
  delivered_at: string | null;
  error: string | null;
  event: string;
  found: number;
  held: boolean;
  id: string;
  next_attempt_at: string | null;
  payload: string;
  response_body: string | null;
  status: string;
  status_code: number | null;
  webhook_id: string;
}

export interface FindDeliveriesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  rows: number;
  webhookId: string;
}

export interface FindDeliveriesEndResult {
  at: string;
  id: string;
}

export const listDeliveries = new PreparedQuery<ListDeliveriesParams, ListDeliveriesResult>(sql, 'listDeliveries');
export const findDeliveriesEnd = new PreparedQuery<FindDeliveriesEndParams, FindDeliveriesEndResult>(sql, 'findDeliveriesEnd');
