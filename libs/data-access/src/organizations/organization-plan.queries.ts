// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './organization-plan.sql';

export interface FindPlanByIdParams {
  organizationId: string;
}

export interface FindPlanByIdResult {
  custom_limits: unknown | null;
  id: string;
  plan_tier: string;
}

export interface FindPlanBySlugParams {
  slug: string;
}

export interface FindPlanBySlugResult {
  custom_limits: unknown | null;
  id: string;
  plan_tier: string;
}

export const findPlanById = new PreparedQuery<FindPlanByIdParams, FindPlanByIdResult>(sql, 'findPlanById');
export const findPlanBySlug = new PreparedQuery<FindPlanBySlugParams, FindPlanBySlugResult>(sql, 'findPlanBySlug');
