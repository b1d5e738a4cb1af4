// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './record-deliveries.sql';

export interface RecordDeliveriesParams {
  data: string;
  event: string;
  organizationId: string;
}

export interface RecordDeliveriesResult {
  id: string;
}

export const recordDeliveries = new PreparedQuery<RecordDeliveriesParams, RecordDeliveriesResult>(sql, 'recordDeliveries');
