// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './refresh-gauges.sql';

export interface RefreshGaugesParams {
  maxAgeSeconds: number;
  pending: number;
  processing: number;
}

export interface RefreshGaugesResult {
  name: string;
  value: number;
}

export const refreshGauges = new PreparedQuery<RefreshGaugesParams, RefreshGaugesResult>(sql, 'refreshGauges');
