// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './match-search.sql';

export type stringArray = (string)[];

export interface MatchSearchParams {
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  ids: stringArray;
  jobType?: string | null | void;
  maxBytes: number;
  organizationId: string;
  queues?: stringArray | null | void;
  statuses?: stringArray | null | void;
  tag?: string | null | void;
  terms: string;
  text?: string | null | void;
}

export interface MatchSearchResult {
  created_at: string;
  id: string;
  meets: boolean;
  readBytes: number;
}

export interface FindJobsByKeysParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  keys: stringArray;
  organizationId: string;
}

export interface FindJobsByKeysResult {
  id: string;
}

export const matchSearch = new PreparedQuery<MatchSearchParams, MatchSearchResult>(sql, 'matchSearch');
export const findJobsByKeys = new PreparedQuery<FindJobsByKeysParams, FindJobsByKeysResult>(sql, 'findJobsByKeys');
