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
  updated_at: string;
}

export const insertOrganization = new PreparedQuery<InsertOrganizationParams, InsertOrganizationResult>(sql, 'insertOrganization');
