// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-dead-letter-causes.sql';

export type stringArray = (string)[];

export interface ListDeadLetterCausesParams {
  byCount: boolean;
  filter: string;
  limit: number;
  organizationId: string;
  scanned: number;
  scope: stringArray;
}

export interface ListDeadLetterCausesResult {
  causes: number;
  count: number;
  error: string;
  first_seen: string;
  groups: number;
  groups_left: number;
  id: string;
  last_hour: number;
  last_seen: string;
  mute_reason: string | null;
  muted_at: string | null;
  muted_by: string | null;
  muted_until: string | null;
  queues: number;
  types: string;
}

export const listDeadLetterCauses = new PreparedQuery<ListDeadLetterCausesParams, ListDeadLetterCausesResult>(sql, 'listDeadLetterCauses');
