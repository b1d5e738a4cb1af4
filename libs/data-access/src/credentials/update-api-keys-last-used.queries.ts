// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './update-api-keys-last-used.sql';

export type stringArray = (string)[];

export interface UpdateApiKeysLastUsedParams {
  ids: stringArray;
}

export type UpdateApiKeysLastUsedResult = void;

export const updateApiKeysLastUsed = new PreparedQuery<UpdateApiKeysLastUsedParams, UpdateApiKeysLastUsedResult>(sql, 'updateApiKeysLastUsed');
