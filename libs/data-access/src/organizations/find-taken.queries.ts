// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-taken.sql';

export type stringArray = (string)[];

export interface FindTakenParams {
  billingEmail?: string | null | void;
  slugs: stringArray;
}

export interface FindTakenResult {
  email_taken: boolean;
  slugs: stringArray;
}

export const findTaken = new PreparedQuery<FindTakenParams, FindTakenResult>(sql, 'findTaken');
