// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-inbound-deliveries.sql';

export interface ListInboundDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  onlyDuplicates: boolean;
  organizationId: string;
  queueName?: string | null | void;
  rows: number;
  since?: string | null | void;
  status?: string | null | void;
}

export interface ListInboundDeliveriesResult {
  created_at: string;
  event_type: string;
  id: string;
  job_id: string;
  matched_queue: string;
  provider: string;
  status: string;
}

export interface FindInboundDeliveriesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  onlyDuplicates: boolean;
  organizationId: string;
  queueName?: string | null | void;
  rows: number;
  since?: string | null | void;
}

export interface FindInboundDeliveriesEndResult {
  at: string;
  id: string;
}

export const listInboundDeliveries = new PreparedQuery<ListInboundDeliveriesParams, ListInboundDeliveriesResult>(sql, 'listInboundDeliveries');
export const findInboundDeliveriesEnd = new PreparedQuery<FindInboundDeliveriesEndParams, FindInboundDeliveriesEndResult>(sql, 'findInboundDeliveriesEnd');
