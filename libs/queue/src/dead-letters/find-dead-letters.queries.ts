// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './find-dead-letters.sql';

export type stringArray = (string)[];

export interface FindDeadLettersParams {
  ids?: stringArray | null | void;
  limit: number;
  organizationId: string;
  queueName?: string | null | void;
}

export interface FindDeadLettersResult {
  job_id: string;
}

export interface FindStepsBeyondLimitParams {
  ids: stringArray;
  maxWorkflows: number;
  organizationId: string;
}

export interface FindStepsBeyondLimitResult {
  id: string;
}

export const findDeadLetters = new PreparedQuery<FindDeadLettersParams, FindDeadLettersResult>(sql, 'findDeadLetters');
export const findStepsBeyondLimit = new PreparedQuery<FindStepsBeyondLimitParams, FindStepsBeyondLimitResult>(sql, 'findStepsBeyondLimit');
