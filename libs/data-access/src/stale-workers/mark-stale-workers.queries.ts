// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './mark-stale-workers.sql';

export interface MarkStaleWorkersParams {
  degradedSeconds: number;
  limit: number;
  offlineSeconds: number;
}

export interface MarkStaleWorkersResult {
  id: string;
  markedAt: string;
  organizationId: string;
  status: string;
}

export const markStaleWorkers = new PreparedQuery<MarkStaleWorkersParams, MarkStaleWorkersResult>(sql, 'markStaleWorkers');
