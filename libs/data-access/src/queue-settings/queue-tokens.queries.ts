// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './queue-tokens.sql';

export interface TakeQueueTokensParams {
  organizationId: string;
  queueName: string;
  ratePerSecond: number;
  wanted: number;
}

export interface TakeQueueTokensResult {
  taken: number;
  tokens: number;
}

export interface ReadQueueTokensParams {
  organizationId: string;
  queueName: string;
  ratePerSecond: number;
}

export interface ReadQueueTokensResult {
  tokens: number;
}

export const takeQueueTokens = new PreparedQuery<TakeQueueTokensParams, TakeQueueTokensResult>(sql, 'takeQueueTokens');
export const readQueueTokens = new PreparedQuery<ReadQueueTokensParams, ReadQueueTokensResult>(sql, 'readQueueTokens');
