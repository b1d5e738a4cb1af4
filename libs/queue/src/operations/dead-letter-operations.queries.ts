// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './dead-letter-operations.sql';

export type stringArray = (string)[];

export interface TakeDeadLettersParams {
  afterId: string;
  afterTime: string;
  deadUntil: string;
  filter: string;
  limit: number;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

export interface TakeDeadLettersResult {
  created_at: string;
  job_id: string;
}

export interface HasMoreDeadLettersParams {
  afterId: string;
  afterTime: string;
  deadUntil: string;
  filter: string;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

export interface HasMoreDeadLettersResult {
  more: boolean;
}

export interface RecordItemsParams {
  errors: stringArray;
  ids: stringArray;
  operationId: string;
  organizationId: string;
  state: string;
}

export type RecordItemsResult = void;

export interface SettleItemsParams {
  limit: number;
  operationId: string;
  organizationId: string;
}

export interface SettleItemsResult {
  ended_otherwise: number;
  failed: number;
  failed_once: number;
  succeeded: number;
  tried: number;
}

export const takeDeadLetters = new PreparedQuery<TakeDeadLettersParams, TakeDeadLettersResult>(sql, 'takeDeadLetters');
export const hasMoreDeadLetters = new PreparedQuery<HasMoreDeadLettersParams, HasMoreDeadLettersResult>(sql, 'hasMoreDeadLetters');
export const recordItems = new PreparedQuery<RecordItemsParams, RecordItemsResult>(sql, 'recordItems');
export const settleItems = new PreparedQuery<SettleItemsParams, SettleItemsResult>(sql, 'settleItems');
