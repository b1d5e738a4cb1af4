// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-organizations.sql';

export interface ListOrganizationsParams {
  afterId?: string | null | void;
  afterText?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  limit: number;
  offset: number;
  orderBy: string;
  pattern?: string | null | void;
  planTier?: string | null | void;
}

export interface ListOrganizationsResult {
  active_jobs: number;
  api_keys: number;
  billing_email: string | null;
  created_at: string;
  id: string | null;
  jobs_today: number;
  name: string;
  plan_tier: string;
  queues: number;
  slug: string;
  total: number;
  updated_at: string;
  workers: number;
}

export const listOrganizations = new PreparedQuery<ListOrganizationsParams, ListOrganizationsResult>(sql, 'listOrganizations');
