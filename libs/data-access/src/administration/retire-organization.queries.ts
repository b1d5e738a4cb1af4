// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './retire-organization.sql';

export type stringArray = (string)[];

export type RetireOrganizationParams = void;

export interface RetireOrganizationResult {
  lookups: stringArray;
}

export const retireOrganization = new PreparedQuery<RetireOrganizationParams, RetireOrganizationResult>(sql, 'retireOrganization');
