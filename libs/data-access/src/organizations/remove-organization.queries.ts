// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './remove-organization.sql';

export type RemoveOrganizationParams = void;

export type RemoveOrganizationResult = void;

export const removeOrganization = new PreparedQuery<RemoveOrganizationParams, RemoveOrganizationResult>(sql, 'removeOrganization');
