// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './worker-versions.sql';

export type stringArray = (string)[];

export interface ListWorkerVersionsParams {
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
}

export interface ListWorkerVersionsResult {
  degraded: number;
  drained: number;
  draining: number;
  first_registered_at: string;
  healthy: number;
  is_cut: boolean;
  now: string;
  running_jobs: number;
  told_to_drain: number;
  version: string | null;
  workers: number;
}

export interface FindWorkersOfVersionParams {
  drained: boolean;
  limit: number;
  organizationId: string;
  queues?: stringArray | null | void;
  version?: string | null | void;
}

export interface FindWorkersOfVersionResult {
  id: string;
}

export const listWorkerVersions = new PreparedQuery<ListWorkerVersionsParams, ListWorkerVersionsResult>(sql, 'listWorkerVersions');
export const findWorkersOfVersion = new PreparedQuery<FindWorkersOfVersionParams, FindWorkersOfVersionResult>(sql, 'findWorkersOfVersion');
