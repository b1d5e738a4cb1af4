// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './record-attempt.sql';

export interface RecordAttemptParams {
  claimedUntil: string;
  disableAfterSeconds: number;
  entry: string;
  error?: string | null | void;
  holdAfter: number;
  id: string;
  isLate: boolean;
  probeSeconds: number;
  responseBody?: string | null | void;
  sent: boolean;
  status: string;
  statusCode?: number | null | void;
  waitSeconds?: number | null | void;
}

export interface RecordAttemptResult {
  auto_disabled: boolean;
  recorded: boolean;
}

export const recordAttempt = new PreparedQuery<RecordAttemptParams, RecordAttemptResult>(sql, 'recordAttempt');
