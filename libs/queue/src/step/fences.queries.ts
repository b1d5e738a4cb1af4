// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './fences.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface FenceCommandsParams {
  deliveries: numberArray;
  ids: stringArray;
  organizationIds: stringArray;
}

export interface FenceCommandsResult {
  done: undefined | null;
}

export interface FindFencesParams {
  ids: stringArray;
}

export interface FindFencesResult {
  command_id: string;
  delivery: number;
  owner_id: string;
}

export const fenceCommands = new PreparedQuery<FenceCommandsParams, FenceCommandsResult>(sql, 'fenceCommands');
export const findFences = new PreparedQuery<FindFencesParams, FindFencesResult>(sql, 'findFences');
