// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './patch-payloads.sql';

export type stringArray = (string)[];

export interface ReadPayloadsParams {
  ids: stringArray;
  maxBytes: number;
  organizationId: string;
}

export interface ReadPayloadsResult {
  id: string;
  payload: string | null;
  queue_name: string | null;
}

export interface WritePayloadsParams {
  ids: stringArray;
  jobTypes: stringArray;
  organizationId: string;
  payloads: stringArray;
}

export type WritePayloadsResult = void;

export const readPayloads = new PreparedQuery<ReadPayloadsParams, ReadPayloadsResult>(sql, 'readPayloads');
export const writePayloads = new PreparedQuery<WritePayloadsParams, WritePayloadsResult>(sql, 'writePayloads');
