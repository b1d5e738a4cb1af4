// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from './prepared-query.js';
import sql from './read-clock.sql';

export type ReadClockParams = void;

export interface ReadClockResult {
  now: string;
}

export const readClock = new PreparedQuery<ReadClockParams, ReadClockResult>(sql, 'readClock');
