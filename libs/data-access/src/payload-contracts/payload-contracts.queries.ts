// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './payload-contracts.sql';

export type ListCurrentContractsParams = void;

export interface ListCurrentContractsResult {
  id: string;
  mode: string;
  queue_name: string;
  version: number;
}

export interface FindContractSchemaParams {
  id: string;
}

export interface FindContractSchemaResult {
  schema: string;
}

export interface FindContractParams {
  queueName: string;
  version?: number | null | void;
}

export interface FindContractResult {
  compatibility: string;
  created_at: string;
  created_by: string | null;
  is_current: boolean;
  mode: string;
  queue_name: string;
  schema: string;
  version: number;
  violated_at: string | null;
  violation_samples: unknown;
  violations: number;
}

export interface ListContractVersionsParams {
  queueName: string;
}

export interface ListContractVersionsResult {
  compatibility: string;
  created_at: string;
  created_by: string | null;
  is_current: boolean;
  mode: string;
  version: number;
  violated_at: string | null;
  violation_samples: unknown;
  violations: number;
}

export interface AddContractViolationsParams {
  count: number;
  id: string;
  kept: number;
  newest: string;
}

export type AddContractViolationsResult = void;

export interface RetireContractParams {
  keptFrom: number;
  queueName: string;
}

export type RetireContractResult = void;

export interface InsertContractParams {
  compatibility: string;
  createdBy?: string | null | void;
  mode: string;
  queueName: string;
  schema: string;
  version: number;
}

export interface InsertContractResult {
  compatibility: string;
  created_at: string;
  created_by: string | null;
  is_current: boolean;
  mode: string;
  queue_name: string;
  schema: string;
  version: number;
  violated_at: string | null;
  violation_samples: unknown;
  violations: number;
}

export interface DeleteContractsParams {
  queueName: string;
}

export interface DeleteContractsResult {
  is_current: boolean;
}

export interface SampleNewestJobsParams {
  limit: number;
  maxBytes: number;
  queueName: string;
  seen: number;
}

export interface SampleNewestJobsResult {
  id: string;
  payload: string;
}

export const listCurrentContracts = new PreparedQuery<ListCurrentContractsParams, ListCurrentContractsResult>(sql, 'listCurrentContracts');
export const findContractSchema = new PreparedQuery<FindContractSchemaParams, FindContractSchemaResult>(sql, 'findContractSchema');
export const findContract = new PreparedQuery<FindContractParams, FindContractResult>(sql, 'findContract');
export const listContractVersions = new PreparedQuery<ListContractVersionsParams, ListContractVersionsResult>(sql, 'listContractVersions');
export const addContractViolations = new PreparedQuery<AddContractViolationsParams, AddContractViolationsResult>(sql, 'addContractViolations');
export const retireContract = new PreparedQuery<RetireContractParams, RetireContractResult>(sql, 'retireContract');
export const insertContract = new PreparedQuery<InsertContractParams, InsertContractResult>(sql, 'insertContract');
export const deleteContracts = new PreparedQuery<DeleteContractsParams, DeleteContractsResult>(sql, 'deleteContracts');
export const sampleNewestJobs = new PreparedQuery<SampleNewestJobsParams, SampleNewestJobsResult>(sql, 'sampleNewestJobs');
