// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-parents.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export interface ListParentsParams {
  id: string;
  organizationId: string;
}

export interface ListParentsResult {
  job_id: string;
  queue_name: string;
  status: job_status;
}

export const listParents = new PreparedQuery<ListParentsParams, ListParentsResult>(sql, 'listParents');
