// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './insert-organization.sql';

export interface InsertOrganizationParams {
  billingEmail?: string | null | void;
  customLimits?: string | null | void;
  id: string;
  keyDigest: string;
  keyLookup: string;
  keyName: string;
  keyPrefix: string;
  name: string;
  planTier: string;
  settings: string;
  slug: string;
  webhookToken: string;
}

export interface InsertOrganizationResult {
  billing_email: string | null;
  created_at: string;
  custom_limits: string | null;
  id: string;
  key_created_at: string;
  key_id: string;
  key_name: string;
  name: string;
  plan_tier: string;
  settings: string;
  slug: string;
  stripe_cancel_at_period_end: boolean | null;
  stripe_current_period_end: string | null;
  stripe_customer_id: string | null;
  stripe_subscription_id: string | null;
  stripe_subscription_status: string | null;
  updated_at: string;
}

export const insertOrganization = new PreparedQuery<InsertOrganizationParams, InsertOrganizationResult>(sql, 'insertOrganization');
