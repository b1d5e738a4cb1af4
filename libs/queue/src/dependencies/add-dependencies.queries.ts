// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './add-dependencies.sql';

export type stringArray = (string)[];

export interface AddDependenciesParams {
  id: string;
  mode?: string | null | void;
  organizationId: string;
  parents: stringArray;
  queues?: stringArray | null | void;
}

export interface AddDependenciesResult {
  answer: unknown;
}

export const addDependencies = new PreparedQuery<AddDependenciesParams, AddDependenciesResult>(sql, 'addDependencies');
