// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './record-inbound.sql';

export interface RecordInboundParams {
  batch: string;
}

export interface RecordInboundResult {
  done: undefined | null;
}

export const recordInbound = new PreparedQuery<RecordInboundParams, RecordInboundResult>(sql, 'recordInbound');
