// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './are-dependencies-met.sql';

export interface AreDependenciesMetParams {
  id: string;
  mode?: string | null | void;
}

export interface AreDependenciesMetResult {
  met: boolean;
}

export const areDependenciesMet = new PreparedQuery<AreDependenciesMetParams, AreDependenciesMetResult>(sql, 'areDependenciesMet');
