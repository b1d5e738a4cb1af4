// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './organizations.sql';

export type stringArray = (string)[];

export interface FindOrganizationParams {
  organizationId: string;
}

export interface FindOrganizationResult {
  billing_email: string | null;
  created_at: string;
  id: string;
  name: string;
  plan_tier: string;
  slug: string;
  stripe_cancel_at_period_end: boolean | null;
  stripe_current_period_end: string | null;
  stripe_customer_id: string | null;
  stripe_subscription_id: string | null;
  stripe_subscription_status: string | null;
  updated_at: string;
}

export interface ReadOrganizationDocumentsParams {
  hidden: stringArray;
  organizationId: string;
  withSecrets: boolean;
}

export interface ReadOrganizationDocumentsResult {
  custom_limits: string | null;
  settings: string;
}

export interface ChangeOrganizationParams {
  changes: string;
  customLimits?: string | null | void;
  organizationId: string;
  setsCustomLimits: boolean;
  settings?: string | null | void;
  webhookToken?: string | null | void;
}

export interface ChangeOrganizationResult {
  billing_email: string | null;
  created_at: string;
  id: string;
  name: string;
  plan_tier: string;
  slug: string;
  stripe_cancel_at_period_end: boolean | null;
  stripe_current_period_end: string | null;
  stripe_customer_id: string | null;
  stripe_subscription_id: string | null;
  stripe_subscription_status: string | null;
  updated_at: string;
}

export const findOrganization = new PreparedQuery<FindOrganizationParams, FindOrganizationResult>(sql, 'findOrganization');
export const readOrganizationDocuments = new PreparedQuery<ReadOrganizationDocumentsParams, ReadOrganizationDocumentsResult>(sql, 'readOrganizationDocuments');
export const changeOrganization = new PreparedQuery<ChangeOrganizationParams, ChangeOrganizationResult>(sql, 'changeOrganization');
