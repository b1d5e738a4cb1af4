// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-old-credential-changes.sql';

export interface DeleteOldCredentialChangesParams {
  keptSeconds: number;
  limit: number;
}

export interface DeleteOldCredentialChangesResult {
  deleted: number;
}

export const deleteOldCredentialChanges = new PreparedQuery<DeleteOldCredentialChangesParams, DeleteOldCredentialChangesResult>(sql, 'deleteOldCredentialChanges');
