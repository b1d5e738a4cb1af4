// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-queue-settings.sql';

export interface DeleteQueueSettingsParams {
  jobs?: number | null | void;
  organizationId: string;
  queueName: string;
}

export interface DeleteQueueSettingsResult {
  done: undefined | null;
}

export const deleteQueueSettings = new PreparedQuery<DeleteQueueSettingsParams, DeleteQueueSettingsResult>(sql, 'deleteQueueSettings');
