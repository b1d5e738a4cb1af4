// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './update-workflow-status.sql';

export interface UpdateWorkflowStatusParams {
  batch: string;
}

export interface UpdateWorkflowStatusResult {
  settled: unknown;
}

export const updateWorkflowStatus = new PreparedQuery<UpdateWorkflowStatusParams, UpdateWorkflowStatusResult>(sql, 'updateWorkflowStatus');
