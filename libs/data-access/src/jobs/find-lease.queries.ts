// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-lease.sql';

export type stringArray = (string)[];

export interface FindLeaseParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindLeaseResult {
  held: boolean;
  lease_id: string;
  worker_id: string;
}

export const findLease = new PreparedQuery<FindLeaseParams, FindLeaseResult>(sql, 'findLease');
