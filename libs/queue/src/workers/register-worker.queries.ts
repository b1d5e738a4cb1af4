// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './register-worker.sql';

export type stringArray = (string)[];

export interface LockWorkersParams {
  organizationId: string;
}

export interface LockWorkersResult {
  done: undefined | null;
}

export interface RegisterWorkerParams {
  hostname: string;
  id: string;
  maxConcurrency: number;
  maxWorkers?: number | null | void;
  metadata: string;
  organizationId: string;
  queueName: string;
  queues?: stringArray | null | void;
  version?: string | null | void;
  workerType?: string | null | void;
}

export interface RegisterWorkerResult {
  alive: number;
  id: string | null;
  now: string;
  taken: boolean;
}

export const lockWorkers = new PreparedQuery<LockWorkersParams, LockWorkersResult>(sql, 'lockWorkers');
export const registerWorker = new PreparedQuery<RegisterWorkerParams, RegisterWorkerResult>(sql, 'registerWorker');
