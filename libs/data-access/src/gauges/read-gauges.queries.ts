// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-gauges.sql';

export type ReadGaugesParams = void;

export interface ReadGaugesResult {
  name: string;
  value: number;
}

export const readGauges = new PreparedQuery<ReadGaugesParams, ReadGaugesResult>(sql, 'readGauges');
