// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './record-latencies.sql';

export interface RecordLatenciesParams {
  batch: string;
}

export interface RecordLatenciesResult {
  answer: undefined;
}

export const recordLatencies = new PreparedQuery<RecordLatenciesParams, RecordLatenciesResult>(sql, 'recordLatencies');
