// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './create-workflow.sql';

export interface CreateWorkflowParams {
  edges: string;
  flow: string;
  maxRetries: number;
  maxWorkflows?: number | null | void;
  organizationId: string;
  part: string;
  timeoutSeconds: number;
}

export interface CreateWorkflowResult {
  answer: unknown;
}

export const createWorkflow = new PreparedQuery<CreateWorkflowParams, CreateWorkflowResult>(sql, 'createWorkflow');
