// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './extend-leases.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface ExtendLeasesParams {
  ids: stringArray;
  leftMs: numberArray;
}

export type ExtendLeasesResult = void;

export const extendLeases = new PreparedQuery<ExtendLeasesParams, ExtendLeasesResult>(sql, 'extendLeases');
