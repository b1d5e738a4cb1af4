// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-key-lookup.sql';

export interface FindKeyLookupParams {
  id: string;
}

export interface FindKeyLookupResult {
  key_lookup: string;
}

export const findKeyLookup = new PreparedQuery<FindKeyLookupParams, FindKeyLookupResult>(sql, 'findKeyLookup');
