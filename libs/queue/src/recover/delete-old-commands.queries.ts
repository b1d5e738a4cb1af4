// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './delete-old-commands.sql';

export interface DeleteOldCommandsParams {
  keptSeconds: number;
  limit: number;
}

export interface DeleteOldCommandsResult {
  forgotten: number;
}

export const deleteOldCommands = new PreparedQuery<DeleteOldCommandsParams, DeleteOldCommandsResult>(sql, 'deleteOldCommands');
