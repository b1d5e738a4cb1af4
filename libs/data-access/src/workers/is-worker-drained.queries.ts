// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './is-worker-drained.sql';

export interface IsWorkerDrainedParams {
  id: string;
  organizationId: string;
}

export interface IsWorkerDrainedResult {
  drained: boolean;
}

export const isWorkerDrained = new PreparedQuery<IsWorkerDrainedParams, IsWorkerDrainedResult>(sql, 'isWorkerDrained');
