// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './record-heartbeat.sql';

export type stringArray = (string)[];

export interface RecordHeartbeatParams {
  currentJobs: number;
  id: string;
  metadata?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  status?: string | null | void;
}

export interface RecordHeartbeatResult {
  now: string;
  status: string;
}

export interface ReactivateWorkerParams {
  currentJobs: number;
  id: string;
  maxWorkers?: number | null | void;
  metadata?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  status?: string | null | void;
}

export interface ReactivateWorkerResult {
  alive: number;
  known: boolean;
  now: string;
  status: string | null;
}

export const recordHeartbeat = new PreparedQuery<RecordHeartbeatParams, RecordHeartbeatResult>(sql, 'recordHeartbeat');
export const reactivateWorker = new PreparedQuery<ReactivateWorkerParams, ReactivateWorkerResult>(sql, 'reactivateWorker');
