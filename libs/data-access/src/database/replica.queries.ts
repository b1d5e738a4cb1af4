// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from './prepared-query.js';
import sql from './replica.sql';

export type ReadPrimaryPositionParams = void;

export interface ReadPrimaryPositionResult {
  position: string;
}

export type ReadReplicaStateParams = void;

export interface ReadReplicaStateResult {
  bypasses_policies: boolean;
  replayed: string | null;
}

export const readPrimaryPosition = new PreparedQuery<ReadPrimaryPositionParams, ReadPrimaryPositionResult>(sql, 'readPrimaryPosition');
export const readReplicaState = new PreparedQuery<ReadReplicaStateParams, ReadReplicaStateResult>(sql, 'readReplicaState');
