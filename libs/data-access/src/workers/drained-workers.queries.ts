// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './drained-workers.sql';

export interface ListDrainedWorkersParams {
  most: number;
  perOrganization: number;
}

export interface ListDrainedWorkersResult {
  id: string;
  organization_id: string;
}

export const listDrainedWorkers = new PreparedQuery<ListDrainedWorkersParams, ListDrainedWorkersResult>(sql, 'listDrainedWorkers');
