// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './claim-delivery.sql';

export interface ClaimDeliveryParams {
  claimSeconds: number;
  id: string;
}

export interface ClaimDeliveryResult {
  ageSeconds: number;
  attempts: number;
  claimedUntil: string | null;
  createdAt: string;
  data: string;
  dueInMs: number | null;
  enabled: boolean;
  event: string;
  format: string;
  id: string;
  isHeld: boolean;
  isProbe: boolean;
  jobId: string | null;
  previousSecret: string | null;
  retrySeconds: number | null;
  secret: string | null;
  status: string;
  traceparent: string | null;
  url: string;
  webhookId: string | null;
}

export const claimDelivery = new PreparedQuery<ClaimDeliveryParams, ClaimDeliveryResult>(sql, 'claimDelivery');
