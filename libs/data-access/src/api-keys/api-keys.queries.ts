// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './api-keys.sql';

export type stringArray = (string)[];

export interface InsertApiKeyParams {
  digest: string;
  expiresAt?: string | null | void;
  lookup: string;
  name: string;
  organizationId: string;
  prefix: string;
  queues: stringArray;
  rateLimit?: number | null | void;
  role: string;
}

export interface InsertApiKeyResult {
  created_at: string;
  expires_at: string | null;
  id: string;
  is_active: boolean;
  key_lookup: string;
  key_prefix: string;
  last_used: string | null;
  name: string;
  organization_id: string;
  queues: stringArray;
  rate_limit: number | null;
  role: string;
}

export interface CountActiveKeysParams {
  organizationId: string;
}

export interface CountActiveKeysResult {
  active: number;
}

export interface HasAdministratorParams {
  organizationId: string;
  withPeople: boolean;
}

export interface HasAdministratorResult {
  has: boolean;
}

export interface InsertSignInIdentityParams {
  lookup: string;
  name: string;
  organizationId: string;
  role: string;
}

export type InsertSignInIdentityResult = void;

export interface FindSignInIdentityParams {
  lookup: string;
  organizationId: string;
  role: string;
}

export interface FindSignInIdentityResult {
  id: string;
}

export interface ListApiKeysParams {
  afterId?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
}

export interface ListApiKeysResult {
  created_at: string;
  expires_at: string | null;
  id: string;
  is_active: boolean;
  key_lookup: string;
  key_prefix: string;
  last_used: string | null;
  name: string;
  organization_id: string;
  queues: stringArray;
  rate_limit: number | null;
  role: string;
}

export interface FindFirstKeyParams {
  organizationId: string;
}

export interface FindFirstKeyResult {
  id: string;
}

export interface ListKeyLookupsParams {
  organizationId: string;
}

export interface ListKeyLookupsResult {
  key_lookup: string;
}

export interface FindApiKeyParams {
  id: string;
  organizationId: string;
}

export interface FindApiKeyResult {
  created_at: string;
  expires_at: string | null;
  id: string;
  is_active: boolean;
  key_lookup: string;
  key_prefix: string;
  last_used: string | null;
  name: string;
  organization_id: string;
  queues: stringArray;
  rate_limit: number | null;
  role: string;
}

export interface ChangeApiKeyParams {
  changes: string;
  id: string;
  organizationId: string;
}

export interface ChangeApiKeyResult {
  created_at: string;
  expires_at: string | null;
  id: string;
  is_active: boolean;
  key_lookup: string;
  key_prefix: string;
  last_used: string | null;
  name: string;
  organization_id: string;
  queues: stringArray;
  rate_limit: number | null;
  role: string;
}

export const insertApiKey = new PreparedQuery<InsertApiKeyParams, InsertApiKeyResult>(sql, 'insertApiKey');
export const countActiveKeys = new PreparedQuery<CountActiveKeysParams, CountActiveKeysResult>(sql, 'countActiveKeys');
export const hasAdministrator = new PreparedQuery<HasAdministratorParams, HasAdministratorResult>(sql, 'hasAdministrator');
export const insertSignInIdentity = new PreparedQuery<InsertSignInIdentityParams, InsertSignInIdentityResult>(sql, 'insertSignInIdentity');
export const findSignInIdentity = new PreparedQuery<FindSignInIdentityParams, FindSignInIdentityResult>(sql, 'findSignInIdentity');
export const listApiKeys = new PreparedQuery<ListApiKeysParams, ListApiKeysResult>(sql, 'listApiKeys');
export const findFirstKey = new PreparedQuery<FindFirstKeyParams, FindFirstKeyResult>(sql, 'findFirstKey');
export const listKeyLookups = new PreparedQuery<ListKeyLookupsParams, ListKeyLookupsResult>(sql, 'listKeyLookups');
export const findApiKey = new PreparedQuery<FindApiKeyParams, FindApiKeyResult>(sql, 'findApiKey');
export const changeApiKey = new PreparedQuery<ChangeApiKeyParams, ChangeApiKeyResult>(sql, 'changeApiKey');
