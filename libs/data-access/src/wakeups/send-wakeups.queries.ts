// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './send-wakeups.sql';

export type stringArray = (string)[];

export interface SendWakeupsParams {
  channel: string;
  payloads: stringArray;
}

export interface SendWakeupsResult {
  commits: string;
  pg_notify: undefined | null;
}

export const sendWakeups = new PreparedQuery<SendWakeupsParams, SendWakeupsResult>(sql, 'sendWakeups');
