// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './resume-queue.sql';

export interface ResumeQueueParams {
  onlyExpired: boolean;
  organizationId: string;
  queueName: string;
}

export interface ResumeQueueResult {
  changed: boolean;
  paused_at: string | null;
  resumed_at: string;
}

export const resumeQueue = new PreparedQuery<ResumeQueueParams, ResumeQueueResult>(sql, 'resumeQueue');
