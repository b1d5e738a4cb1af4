// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-workflows.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteWorkflowsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteWorkflowsResult {
  deleted: number;
}

export const deleteWorkflows = new PreparedQuery<DeleteWorkflowsParams, DeleteWorkflowsResult>(sql, 'deleteWorkflows');
