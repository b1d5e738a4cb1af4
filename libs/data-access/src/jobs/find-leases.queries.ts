// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-leases.sql';

export type stringArray = (string)[];

export interface FindLeasesParams {
  ids: stringArray;
  organizationId: string;
}

export interface FindLeasesResult {
  held: boolean;
  job_id: string;
  lease_id: string;
}

export const findLeases = new PreparedQuery<FindLeasesParams, FindLeasesResult>(sql, 'findLeases');
