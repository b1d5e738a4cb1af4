// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './steps.sql';

export type stringArray = (string)[];

export interface RecordStepsParams {
  batch: string;
  most: number;
}

export interface RecordStepsResult {
  command: number;
  recorded_at: string;
  why: string | null;
}

export interface BeginWaitParams {
  jobId: string;
  kind: string;
  leaseId?: string | null | void;
  most: number;
  organizationId: string;
  renewed: boolean;
  scope?: stringArray | null | void;
  step: string;
  waitMs: number;
  workerId: string;
}

export interface BeginWaitResult {
  cancel_requested: boolean;
  is_over: boolean;
  lease_id: string;
  queue_name: string;
  until: string;
  waiting_at: string;
  why: string | null;
}

export interface SignalJobParams {
  jobId: string;
  known?: string | null | void;
  most: number;
  organizationId: string;
  scope?: stringArray | null | void;
  step: string;
  value?: string | null | void;
}

export interface SignalJobResult {
  accepted: boolean;
  given_at: string;
  queue_name: string;
  resumed: boolean;
  why: string | null;
}

export const recordSteps = new PreparedQuery<RecordStepsParams, RecordStepsResult>(sql, 'recordSteps');
export const beginWait = new PreparedQuery<BeginWaitParams, BeginWaitResult>(sql, 'beginWait');
export const signalJob = new PreparedQuery<SignalJobParams, SignalJobResult>(sql, 'signalJob');
