// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './throttles.sql';

export type stringArray = (string)[];

export interface ListThrottlesParams {
  queues?: stringArray | null | void;
}

export interface ListThrottlesResult {
  api_key_id: string | null;
  api_key_name: string | null;
  created_at: string;
  created_by: string | null;
  expires_at: string;
  id: string;
  ms_left: number;
  per_second: number;
  queue_name: string | null;
  tag_name: string | null;
  tag_value: string | null;
}

export interface ReadThrottleBoundsParams {
  apiKeyId?: string | null | void;
}

export interface ReadThrottleBoundsResult {
  active: number;
  has_key: boolean;
}

export interface CreateThrottleParams {
  apiKeyId?: string | null | void;
  createdBy?: string | null | void;
  perSecond: number;
  queueName?: string | null | void;
  seconds: number;
  tagName?: string | null | void;
  tagValue?: string | null | void;
}

export interface CreateThrottleResult {
  id: string;
}

export interface DeleteThrottleParams {
  id: string;
  queues?: stringArray | null | void;
}

export interface DeleteThrottleResult {
  id: string;
}

export interface CountCreatedBySecondParams {
  apiKeyId?: string | null | void;
  minutes: number;
  most: number;
  queueName?: string | null | void;
  tagName?: string | null | void;
  tagValue?: string | null | void;
}

export interface CountCreatedBySecondResult {
  counts: string;
  is_cut: boolean;
  since: string;
  until: string;
}

export const listThrottles = new PreparedQuery<ListThrottlesParams, ListThrottlesResult>(sql, 'listThrottles');
export const readThrottleBounds = new PreparedQuery<ReadThrottleBoundsParams, ReadThrottleBoundsResult>(sql, 'readThrottleBounds');
export const createThrottle = new PreparedQuery<CreateThrottleParams, CreateThrottleResult>(sql, 'createThrottle');
export const deleteThrottle = new PreparedQuery<DeleteThrottleParams, DeleteThrottleResult>(sql, 'deleteThrottle');
export const countCreatedBySecond = new PreparedQuery<CountCreatedBySecondParams, CountCreatedBySecondResult>(sql, 'countCreatedBySecond');
