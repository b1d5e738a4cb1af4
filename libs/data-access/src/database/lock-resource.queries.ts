// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from './prepared-query.js';
import sql from './lock-resource.sql';

export interface LockResourceParams {
  organizationId: string;
  resource: string;
}

export interface LockResourceResult {
  done: undefined | null;
}

export const lockResource = new PreparedQuery<LockResourceParams, LockResourceResult>(sql, 'lockResource');
