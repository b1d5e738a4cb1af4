// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './drain-worker.sql';

export type stringArray = (string)[];

export interface DrainWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface DrainWorkerResult {
  now: string;
  status: string;
  was_drained: boolean;
}

export interface ResumeWorkerParams {
  id: string;
  maxWorkers?: number | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ResumeWorkerResult {
  alive: number;
  now: string;
  refused: boolean;
  status: string | null;
  status_before: string;
}

export const drainWorker = new PreparedQuery<DrainWorkerParams, DrainWorkerResult>(sql, 'drainWorker');
export const resumeWorker = new PreparedQuery<ResumeWorkerParams, ResumeWorkerResult>(sql, 'resumeWorker');
