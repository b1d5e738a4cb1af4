// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-pauses.sql';

export interface ListPauseChangesParams {
  organizationId: string;
  queueName: string;
  rows: number;
  since: string;
}

export interface ListPauseChangesResult {
  at: string;
  paused: boolean;
}

export const listPauseChanges = new PreparedQuery<ListPauseChangesParams, ListPauseChangesResult>(sql, 'listPauseChanges');
