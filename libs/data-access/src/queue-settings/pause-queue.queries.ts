// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './pause-queue.sql';

export interface PauseQueueParams {
  defaultRetries: number;
  defaultTimeout: number;
  expiresAt?: string | null | void;
  organizationId: string;
  queueName: string;
  reason?: string | null | void;
}

export interface PauseQueueResult {
  changed: boolean;
  pause_expires_at: string | null;
  paused_at: string;
}

export interface FindPauseParams {
  organizationId: string;
  queueName: string;
}

export interface FindPauseResult {
  pause_expires_at: string | null;
  paused_at: string | null;
  paused_by: string | null;
  reason: string | null;
}

export const pauseQueue = new PreparedQuery<PauseQueueParams, PauseQueueResult>(sql, 'pauseQueue');
export const findPause = new PreparedQuery<FindPauseParams, FindPauseResult>(sql, 'findPause');
