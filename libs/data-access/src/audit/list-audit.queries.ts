// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-audit.sql';

export interface ListAuditParams {
  action?: string | null | void;
  actorId?: string | null | void;
  actorKind?: string | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId?: string | null | void;
  rows: number;
  since?: string | null | void;
  targetId?: string | null | void;
  targetKind?: string | null | void;
  until?: string | null | void;
}

export interface ListAuditResult {
  action: string;
  actor: string | null;
  address: string | null;
  after: unknown | null;
  at: string;
  before: unknown | null;
  id: string;
  organization_id: string;
  target_id: string | null;
  target_kind: string;
  user_agent: string | null;
}

export interface FindAuditEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId?: string | null | void;
  rows: number;
  since?: string | null | void;
  until?: string | null | void;
}

export interface FindAuditEndResult {
  at: string;
  id: string;
}

export interface DeleteOldAuditParams {
  days: number;
  limit: number;
}

export interface DeleteOldAuditResult {
  deleted: number;
}

export const listAudit = new PreparedQuery<ListAuditParams, ListAuditResult>(sql, 'listAudit');
export const findAuditEnd = new PreparedQuery<FindAuditEndParams, FindAuditEndResult>(sql, 'findAuditEnd');
export const deleteOldAudit = new PreparedQuery<DeleteOldAuditParams, DeleteOldAuditResult>(sql, 'deleteOldAudit');
