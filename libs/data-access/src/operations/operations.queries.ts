// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './operations.sql';

export type stringArray = (string)[];

export interface LockOperationsParams {
  organizationId: string;
}

export interface LockOperationsResult {
  done: undefined | null;
}

export interface CreateOperationParams {
  actor?: string | null | void;
  filter: string;
  holdSeconds?: number | null | void;
  kind: string;
  maxOpen: number;
  organizationId: string;
  payloadPatch?: string | null | void;
  queues: stringArray;
  settings: string;
  total?: number | null | void;
}

export interface CreateOperationResult {
  actor: string | null;
  created_at: string;
  ended_at: string | null;
  ended_otherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  payload_patch: string | null;
  processed: number;
  queues: stringArray;
  reason: string | null;
  refused: number;
  settings: unknown;
  started_at: string | null;
  starts_at: string | null;
  state: string;
  succeeded: number;
  total: number | null;
}

export interface ListOperationsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  kind?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
  state?: string | null | void;
}

export interface ListOperationsResult {
  actor: string | null;
  created_at: string;
  ended_at: string | null;
  ended_otherwise: number;
  failed: number;
  filter: unknown;
  id: string;
  kind: string;
  payload_patch: string | null;
  processed: number;
  queues: stringArray;
  reason: string | null;
  refused: number;
  settings: unknown;
  started_at: string | null;
  starts_at: string | null;
  state: string;
  succeeded: number;
  total: number | null;
}

export interface FindOperationsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId: string;
  rows: number;
}

export interface FindOperationsEndResult {
  at: string;
  id: string;
}

export interface ListOperationJobsParams {
  after?: string | null | void;
  limit: number;
  offset: number;
  operationId: string;
  organizationId: string;
  outcomes: stringArray;
}

export interface ListOperationJobsResult {
  error: string | null;
  job_id: string;
  outcome: string;
}

export interface CancelOperationParams {
  id: string;
  kept: stringArray;
  organizationId: string;
}

export interface CancelOperationResult {
  id: string;
}

export interface PreviewDeadLettersParams {
  filter: string;
  maxCounted: number;
  organizationId: string;
  scope: stringArray;
  until: string;
}

export interface PreviewDeadLettersResult {
  count: number;
}

export interface SampleDeadLettersParams {
  filter: string;
  limit: number;
  organizationId: string;
  scope: stringArray;
  until: string;
}

export interface SampleDeadLettersResult {
  dead_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  payload: string;
  queue_name: string;
}

export interface PreviewDeliveriesParams {
  filter: string;
  maxAttempts: number;
  maxCounted: number;
  maxRetries: number;
}

export interface PreviewDeliveriesResult {
  count: number;
}

export interface SampleDeliveriesParams {
  filter: string;
  limit: number;
  maxAttempts: number;
  maxRetries: number;
}

export interface SampleDeliveriesResult {
  attempts: number;
  created_at: string;
  delivery_id: string;
  error: string | null;
  event: string;
  status_code: number | null;
}

export interface PreviewLiveJobsParams {
  filter: string;
  maxCounted: number;
  organizationId: string;
  scope: stringArray;
}

export interface PreviewLiveJobsResult {
  count: number;
}

export interface SampleLiveJobsParams {
  filter: string;
  limit: number;
  organizationId: string;
  scope: stringArray;
  withPayload: boolean;
}

export interface SampleLiveJobsResult {
  id: string;
  job_type: string;
  payload: string | null;
  queue_name: string;
}

export const lockOperations = new PreparedQuery<LockOperationsParams, LockOperationsResult>(sql, 'lockOperations');
export const createOperation = new PreparedQuery<CreateOperationParams, CreateOperationResult>(sql, 'createOperation');
export const listOperations = new PreparedQuery<ListOperationsParams, ListOperationsResult>(sql, 'listOperations');
export const findOperationsEnd = new PreparedQuery<FindOperationsEndParams, FindOperationsEndResult>(sql, 'findOperationsEnd');
export const listOperationJobs = new PreparedQuery<ListOperationJobsParams, ListOperationJobsResult>(sql, 'listOperationJobs');
export const cancelOperation = new PreparedQuery<CancelOperationParams, CancelOperationResult>(sql, 'cancelOperation');
export const previewDeadLetters = new PreparedQuery<PreviewDeadLettersParams, PreviewDeadLettersResult>(sql, 'previewDeadLetters');
export const sampleDeadLetters = new PreparedQuery<SampleDeadLettersParams, SampleDeadLettersResult>(sql, 'sampleDeadLetters');
export const previewDeliveries = new PreparedQuery<PreviewDeliveriesParams, PreviewDeliveriesResult>(sql, 'previewDeliveries');
export const sampleDeliveries = new PreparedQuery<SampleDeliveriesParams, SampleDeliveriesResult>(sql, 'sampleDeliveries');
export const previewLiveJobs = new PreparedQuery<PreviewLiveJobsParams, PreviewLiveJobsResult>(sql, 'previewLiveJobs');
export const sampleLiveJobs = new PreparedQuery<SampleLiveJobsParams, SampleLiveJobsResult>(sql, 'sampleLiveJobs');
