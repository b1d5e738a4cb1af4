// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './rerun-steps.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export interface FindRerunStepsParams {
  organizationId: string;
  workflowId: string;
}

export interface FindRerunStepsResult {
  dependency_mode: string | null;
  id: string;
  is_blocked: boolean;
  key: string;
  outcome: job_status | null;
  parents: unknown;
}

export const findRerunSteps = new PreparedQuery<FindRerunStepsParams, FindRerunStepsResult>(sql, 'findRerunSteps');
