// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './service-processes.sql';

export interface ReportProcessParams {
  host: string;
  id: string;
  service: string;
  version: string;
}

export type ReportProcessResult = void;

export interface EndProcessParams {
  id: string;
}

export type EndProcessResult = void;

export interface ListProcessesParams {
  aliveSeconds: number;
}

export interface ListProcessesResult {
  host: string;
  id: string;
  is_alive: boolean;
  seen_at: string;
  service: string;
  started_at: string;
  version: string;
}

export interface ListTopTenantsParams {
  by: string;
  limit: number;
  minutes: number;
}

export interface ListTopTenantsResult {
  completed: number;
  created: number;
  failed: number;
  name: string;
  organization_id: string;
  pending: number;
  plan_tier: string;
  processing: number;
  seconds: number;
}

export type MeasureCapacityParams = void;

export interface MeasureCapacityResult {
  checked_at: string;
  completed: number;
  connections: number;
  created: number;
  database_bytes: number;
  max_connections: number;
  seconds: number;
  transaction_ids: number;
}

export const reportProcess = new PreparedQuery<ReportProcessParams, ReportProcessResult>(sql, 'reportProcess');
export const endProcess = new PreparedQuery<EndProcessParams, EndProcessResult>(sql, 'endProcess');
export const listProcesses = new PreparedQuery<ListProcessesParams, ListProcessesResult>(sql, 'listProcesses');
export const listTopTenants = new PreparedQuery<ListTopTenantsParams, ListTopTenantsResult>(sql, 'listTopTenants');
export const measureCapacity = new PreparedQuery<MeasureCapacityParams, MeasureCapacityResult>(sql, 'measureCapacity');
