// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './claim-delivery.sql';

export interface ClaimDeliveryParams {
  claimSeconds: number;
  id: string;
}

export interface ClaimDeliveryResult {
  age_seconds: number;
  attempts: number;
  claimed_until: string | null;
  created_at: string;
  due_in_ms: number | null;
  enabled: boolean;
  event: string;
  format: string;
  id: string;
  is_held: boolean;
  is_probe: boolean;
  job_id: string | null;
  payload: string;
  previous_secret: string | null;
  retry_seconds: number | null;
  secret: string | null;
  status: string;
  traceparent: string | null;
  url: string;
  webhook_id: string | null;
}

export const claimDelivery = new PreparedQuery<ClaimDeliveryParams, ClaimDeliveryResult>(sql, 'claimDelivery');
