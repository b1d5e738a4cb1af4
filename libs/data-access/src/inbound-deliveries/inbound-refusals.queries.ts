// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './inbound-refusals.sql';

export interface RecordInboundRefusalsParams {
  organizationId: string;
  refusals: string;
}

export type RecordInboundRefusalsResult = void;

export interface TrimInboundRefusalsParams {
  kept: number;
  organizationId: string;
}

export type TrimInboundRefusalsResult = void;

export interface ListInboundRefusalsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  since?: string | null | void;
}

export interface ListInboundRefusalsResult {
  address: string;
  calls: number;
  code: string;
  created_at: string;
  event_type: string;
  id: string;
  provider: string;
  reason: string;
}

export const recordInboundRefusals = new PreparedQuery<RecordInboundRefusalsParams, RecordInboundRefusalsResult>(sql, 'recordInboundRefusals');
export const trimInboundRefusals = new PreparedQuery<TrimInboundRefusalsParams, TrimInboundRefusalsResult>(sql, 'trimInboundRefusals');
export const listInboundRefusals = new PreparedQuery<ListInboundRefusalsParams, ListInboundRefusalsResult>(sql, 'listInboundRefusals');
