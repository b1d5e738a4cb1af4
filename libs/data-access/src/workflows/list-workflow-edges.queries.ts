// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-workflow-edges.sql';

export interface ListWorkflowEdgesParams {
  limit: number;
  organizationId: string;
  workflowId: string;
}

export interface ListWorkflowEdgesResult {
  child_job_id: string;
  parent_job_id: string;
  total: number;
}

export const listWorkflowEdges = new PreparedQuery<ListWorkflowEdgesParams, ListWorkflowEdgesResult>(sql, 'listWorkflowEdges');
