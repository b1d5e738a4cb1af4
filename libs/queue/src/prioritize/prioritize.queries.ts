// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './prioritize.sql';

export type stringArray = (string)[];

export interface PrioritizeParams {
  ids: stringArray;
  organizationId: string;
  priority: number;
  queues?: stringArray | null | void;
}

export interface PrioritizeResult {
  new: number;
  old: number;
}

export const prioritize = new PreparedQuery<PrioritizeParams, PrioritizeResult>(sql, 'prioritize');
