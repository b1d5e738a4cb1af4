// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './held-deliveries.sql';

export interface FindHeldWebhooksParams {
  limit: number;
}

export interface FindHeldWebhooksResult {
  id: string;
  isHeld: boolean;
  organizationId: string;
}

export interface ReleaseHeldParams {
  id: string;
  limit: number;
}

export interface ReleaseHeldResult {
  id: string;
}

export interface DropOldestHeldParams {
  error: string;
  id: string;
  limit: number;
  max: number;
}

export interface DropOldestHeldResult {
  dropped: number;
}

export interface BeginProbeParams {
  firstSeconds: number;
  id: string;
  longestSeconds: number;
}

export interface BeginProbeResult {
  id: string;
}

export const findHeldWebhooks = new PreparedQuery<FindHeldWebhooksParams, FindHeldWebhooksResult>(sql, 'findHeldWebhooks');
export const releaseHeld = new PreparedQuery<ReleaseHeldParams, ReleaseHeldResult>(sql, 'releaseHeld');
export const dropOldestHeld = new PreparedQuery<DropOldestHeldParams, DropOldestHeldResult>(sql, 'dropOldestHeld');
export const beginProbe = new PreparedQuery<BeginProbeParams, BeginProbeResult>(sql, 'beginProbe');
