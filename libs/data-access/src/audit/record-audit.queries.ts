// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './record-audit.sql';

export interface RecordAuditParams {
  action: string;
  after?: string | null | void;
  before?: string | null | void;
  organizationId: string;
  targetId?: string | null | void;
  targetKind: string;
}

export interface RecordAuditResult {
  done: undefined | null;
}

export const recordAudit = new PreparedQuery<RecordAuditParams, RecordAuditResult>(sql, 'recordAudit');
