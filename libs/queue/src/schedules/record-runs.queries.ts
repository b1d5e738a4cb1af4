// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './record-runs.sql';

export interface RecordRunsParams {
  runs: string;
}

export interface RecordRunsResult {
  deliveries: unknown;
  now: string;
}

export const recordRuns = new PreparedQuery<RecordRunsParams, RecordRunsResult>(sql, 'recordRuns');
/** A record of `runs`, as record-runs.sql reads it. */
export interface RecordRunsRecord {
  schedule: string | null | undefined;
  org: string | null | undefined;
  queue: string | null | undefined;
  job: string | null | undefined;
  error: string | null | undefined;
  source: string | null | undefined;
}
