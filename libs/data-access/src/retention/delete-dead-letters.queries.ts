// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-dead-letters.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteDeadLettersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteDeadLettersResult {
  deleted: number;
}

export const deleteDeadLetters = new PreparedQuery<DeleteDeadLettersParams, DeleteDeadLettersResult>(sql, 'deleteDeadLetters');
