// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './expire-retries.sql';

export type stringArray = (string)[];

export interface ExpireRetriesParams {
  ids: stringArray;
  organizationId: string;
}

export interface ExpireRetriesResult {
  answer: unknown;
}

export const expireRetries = new PreparedQuery<ExpireRetriesParams, ExpireRetriesResult>(sql, 'expireRetries');
