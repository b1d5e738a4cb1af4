// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './find-run-of-job.sql';

export interface FindRunOfJobParams {
  jobId: string;
  organizationId: string;
  scheduleId: string;
}

export interface FindRunOfJobResult {
  started_at: string;
}

export const findRunOfJob = new PreparedQuery<FindRunOfJobParams, FindRunOfJobResult>(sql, 'findRunOfJob');
