// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './outgoing-webhooks.sql';

export type stringArray = (string)[];

export interface CountEnabledWebhooksParams {
  organizationId: string;
}

export interface CountEnabledWebhooksResult {
  enabled: number;
}

export interface ListWebhooksParams {
  afterId?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
}

export interface ListWebhooksResult {
  created_at: string;
  dropped_at: string | null;
  dropped_count: number;
  enabled: boolean;
  events: stringArray;
  failing_since: string | null;
  failure_count: number;
  format: string;
  held_since: string | null;
  id: string;
  last_status: string | null;
  last_triggered_at: string | null;
  name: string;
  next_probe_at: string | null;
  organization_id: string;
  retry_seconds: number | null;
  rotation_ends_at: string | null;
  secret: string | null;
  updated_at: string;
  url: string;
}

export interface FindWebhookParams {
  id: string;
  organizationId: string;
}

export interface FindWebhookResult {
  created_at: string;
  dropped_at: string | null;
  dropped_count: number;
  enabled: boolean;
  events: stringArray;
  failing_since: string | null;
  failure_count: number;
  format: string;
  held_since: string | null;
  id: string;
  last_status: string | null;
  last_triggered_at: string | null;
  name: string;
  next_probe_at: string | null;
  organization_id: string;
  retry_seconds: number | null;
  rotation_ends_at: string | null;
  secret: string | null;
  updated_at: string;
  url: string;
}

export interface InsertWebhookParams {
  enabled: boolean;
  events: stringArray;
  format: string;
  name: string;
  organizationId: string;
  retry_seconds?: number | null | void;
  secret?: string | null | void;
  url: string;
}

export interface InsertWebhookResult {
  created_at: string;
  dropped_at: string | null;
  dropped_count: number;
  enabled: boolean;
  events: stringArray;
  failing_since: string | null;
  failure_count: number;
  format: string;
  held_since: string | null;
  id: string;
  last_status: string | null;
  last_triggered_at: string | null;
  name: string;
  next_probe_at: string | null;
  organization_id: string;
  retry_seconds: number | null;
  rotation_ends_at: string | null;
  secret: string | null;
  updated_at: string;
  url: string;
}

export interface ChangeWebhookParams {
  changes: string;
  id: string;
  organizationId: string;
}

export interface ChangeWebhookResult {
  created_at: string;
  dropped_at: string | null;
  dropped_count: number;
  enabled: boolean;
  events: stringArray;
  failing_since: string | null;
  failure_count: number;
  format: string;
  held_since: string | null;
  id: string;
  last_status: string | null;
  last_triggered_at: string | null;
  name: string;
  next_probe_at: string | null;
  organization_id: string;
  retry_seconds: number | null;
  rotation_ends_at: string | null;
  secret: string | null;
  updated_at: string;
  url: string;
}

export interface RotateSecretParams {
  id: string;
  organizationId: string;
  secret: string;
  validSeconds: number;
}

export interface RotateSecretResult {
  created_at: string;
  dropped_at: string | null;
  dropped_count: number;
  enabled: boolean;
  events: stringArray;
  failing_since: string | null;
  failure_count: number;
  format: string;
  held_since: string | null;
  id: string;
  last_status: string | null;
  last_triggered_at: string | null;
  name: string;
  next_probe_at: string | null;
  organization_id: string;
  retry_seconds: number | null;
  rotation_ends_at: string | null;
  secret: string | null;
  updated_at: string;
  url: string;
}

export interface DeleteWebhookParams {
  id: string;
  organizationId: string;
}

export interface DeleteWebhookResult {
  id: string;
}

export const countEnabledWebhooks = new PreparedQuery<CountEnabledWebhooksParams, CountEnabledWebhooksResult>(sql, 'countEnabledWebhooks');
export const listWebhooks = new PreparedQuery<ListWebhooksParams, ListWebhooksResult>(sql, 'listWebhooks');
export const findWebhook = new PreparedQuery<FindWebhookParams, FindWebhookResult>(sql, 'findWebhook');
export const insertWebhook = new PreparedQuery<InsertWebhookParams, InsertWebhookResult>(sql, 'insertWebhook');
export const changeWebhook = new PreparedQuery<ChangeWebhookParams, ChangeWebhookResult>(sql, 'changeWebhook');
export const rotateSecret = new PreparedQuery<RotateSecretParams, RotateSecretResult>(sql, 'rotateSecret');
export const deleteWebhook = new PreparedQuery<DeleteWebhookParams, DeleteWebhookResult>(sql, 'deleteWebhook');
