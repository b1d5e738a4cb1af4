// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-workers.sql';

export type stringArray = (string)[];

export interface CountWorkersParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface CountWorkersResult {
  healthy: number;
  offline: number;
  total: number;
  unhealthy: number;
}

export const countWorkers = new PreparedQuery<CountWorkersParams, CountWorkersResult>(sql, 'countWorkers');
