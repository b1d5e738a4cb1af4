// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job-settings.sql';

export type stringArray = (string)[];

export interface FindJobSettingsParams {
  ids: stringArray;
  organizationId: string;
}

export interface FindJobSettingsResult {
  id: string;
  settings: unknown;
}

export const findJobSettings = new PreparedQuery<FindJobSettingsParams, FindJobSettingsResult>(sql, 'findJobSettings');
