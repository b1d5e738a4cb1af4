// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './command-log.sql';

export interface FindLoggedOutcomesParams {
  batch: string;
}

export interface FindLoggedOutcomesResult {
  outcomes: string;
}

export interface LogOutcomesParams {
  batch: string;
}

export interface LogOutcomesResult {
  done: undefined | null;
}

export interface LogRefusalParams {
  id: string;
  organizationId: string;
  outcome: string;
}

export type LogRefusalResult = void;

export const findLoggedOutcomes = new PreparedQuery<FindLoggedOutcomesParams, FindLoggedOutcomesResult>(sql, 'findLoggedOutcomes');
export const logOutcomes = new PreparedQuery<LogOutcomesParams, LogOutcomesResult>(sql, 'logOutcomes');
export const logRefusal = new PreparedQuery<LogRefusalParams, LogRefusalResult>(sql, 'logRefusal');
