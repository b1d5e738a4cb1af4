// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-credential-changes.sql';

export interface ReadCredentialChangesParams {
  position?: number | null | void;
}

export interface ReadCredentialChangesResult {
  changed_at: number | null;
  kind: string | null;
  organization_id: string | null;
  position: number;
  read_at: number;
  subject: string | null;
  xid: number | null;
}

export const readCredentialChanges = new PreparedQuery<ReadCredentialChangesParams, ReadCredentialChangesResult>(sql, 'readCredentialChanges');
