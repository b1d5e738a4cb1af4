// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './store-key-digest.sql';

export interface StoreKeyDigestParams {
  digest: string;
  id: string;
}

export type StoreKeyDigestResult = void;

export const storeKeyDigest = new PreparedQuery<StoreKeyDigestParams, StoreKeyDigestResult>(sql, 'storeKeyDigest');
