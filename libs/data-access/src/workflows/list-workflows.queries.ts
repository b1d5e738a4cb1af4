// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-workflows.sql';

export type stringArray = (string)[];

export interface ListWorkflowsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  kind: string;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
  statuses?: stringArray | null | void;
}

export interface ListWorkflowsResult {
  completed_at: string | null;
  completed_jobs: number;
  created_at: string;
  description: string | null;
  failed_jobs: number;
  id: string;
  metadata: string | null;
  name: string;
  organization_id: string;
  pending_jobs: number;
  processing_jobs: number;
  queue_names: stringArray;
  started_at: string | null;
  status: string;
  total_jobs: number;
}

export interface FindWorkflowsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  organizationId: string;
  rows: number;
}

export interface FindWorkflowsEndResult {
  at: string;
  id: string;
}

export const listWorkflows = new PreparedQuery<ListWorkflowsParams, ListWorkflowsResult>(sql, 'listWorkflows');
export const findWorkflowsEnd = new PreparedQuery<FindWorkflowsEndParams, FindWorkflowsEndResult>(sql, 'findWorkflowsEnd');
