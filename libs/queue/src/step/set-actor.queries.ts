// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './set-actor.sql';

export interface SetActorParams {
  actor?: string | null | void;
  address?: string | null | void;
  reason?: string | null | void;
  userAgent?: string | null | void;
}

export interface SetActorResult {
  actor: string | null;
  address: string | null;
  reason: string | null;
  user_agent: string | null;
}

export const setActor = new PreparedQuery<SetActorParams, SetActorResult>(sql, 'setActor');
