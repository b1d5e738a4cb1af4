// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './record-deliveries.sql';

export interface RecordEventsParams {
  batch: string;
}

export interface RecordEventsResult {
  recorded: unknown;
}

export interface RecordCancellationsParams {
  batch: string;
}

export interface RecordCancellationsResult {
  recorded: unknown;
}

export const recordEvents = new PreparedQuery<RecordEventsParams, RecordEventsResult>(sql, 'recordEvents');
export const recordCancellations = new PreparedQuery<RecordCancellationsParams, RecordCancellationsResult>(sql, 'recordCancellations');
