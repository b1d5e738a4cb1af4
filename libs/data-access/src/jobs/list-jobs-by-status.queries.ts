// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-jobs-by-status.sql';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

export interface ListCancelledParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

export interface ListCancelledResult {
  created_at: string;
  id: string;
}

export interface FindCancelledEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
}

export interface FindCancelledEndResult {
  at: string;
  id: string;
}

export interface ListDeadLettersParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

export interface ListDeadLettersResult {
  created_at: string;
  id: string;
}

export interface FindDeadLettersEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
}

export interface FindDeadLettersEndResult {
  at: string;
  id: string;
}

export interface ListLiveParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  jobType?: string | null | void;
  organizationId: string;
  queues?: stringArray | null | void;
  skip: number;
  states: live_stateArray;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

export interface ListLiveResult {
  created_at: string;
  id: string;
}

export interface CountLiveParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  states: live_stateArray;
}

export interface CountLiveResult {
  count: number;
}

export const listCancelled = new PreparedQuery<ListCancelledParams, ListCancelledResult>(sql, 'listCancelled');
export const findCancelledEnd = new PreparedQuery<FindCancelledEndParams, FindCancelledEndResult>(sql, 'findCancelledEnd');
export const listDeadLetters = new PreparedQuery<ListDeadLettersParams, ListDeadLettersResult>(sql, 'listDeadLetters');
export const findDeadLettersEnd = new PreparedQuery<FindDeadLettersEndParams, FindDeadLettersEndResult>(sql, 'findDeadLettersEnd');
export const listLive = new PreparedQuery<ListLiveParams, ListLiveResult>(sql, 'listLive');
export const countLive = new PreparedQuery<CountLiveParams, CountLiveResult>(sql, 'countLive');
