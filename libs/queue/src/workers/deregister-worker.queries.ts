// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './deregister-worker.sql';

export type stringArray = (string)[];

export interface DeregisterWorkerParams {
  id: string;
  issuedAt?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface DeregisterWorkerResult {
  now: string;
  queue_name: string;
}

export const deregisterWorker = new PreparedQuery<DeregisterWorkerParams, DeregisterWorkerResult>(sql, 'deregisterWorker');
