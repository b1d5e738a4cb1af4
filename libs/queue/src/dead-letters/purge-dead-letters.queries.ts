// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './purge-dead-letters.sql';

export type stringArray = (string)[];

export interface PurgeDeadLettersParams {
  createdBefore?: string | null | void;
  deadBefore?: string | null | void;
  ids?: stringArray | null | void;
  limit: number;
  organizationId: string;
  queueName?: string | null | void;
  rememberedSeconds: number;
}

export interface PurgeDeadLettersResult {
  purged: number;
}

export const purgeDeadLetters = new PreparedQuery<PurgeDeadLettersParams, PurgeDeadLettersResult>(sql, 'purgeDeadLetters');
