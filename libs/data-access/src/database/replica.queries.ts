/** Types generated for queries found in "libs/data-access/src/database/replica.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadPrimaryPosition' parameters type */
export type ReadPrimaryPositionParams = void;

/** 'ReadPrimaryPosition' return type */
export interface ReadPrimaryPositionResult {
  position: string;
}

/** 'ReadPrimaryPosition' query type */
export interface ReadPrimaryPositionQuery {
  params: ReadPrimaryPositionParams;
  result: ReadPrimaryPositionResult;
}

const readPrimaryPositionIR: any = {"usedParamSet":{},"params":[],"statement":"-- How far the log of the primary is on disk, in bytes from its start. Every transaction that was reported as committed is within it.\nSELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS \"position!\""};

/**
 * Query generated from SQL:
 * ```
 * -- How far the log of the primary is on disk, in bytes from its start. Every transaction that was reported as committed is within it.
 * SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS "position!"
 * ```
 */
export const readPrimaryPosition = new PreparedQuery<ReadPrimaryPositionParams,ReadPrimaryPositionResult>(readPrimaryPositionIR);


/** 'ReadReplicaState' parameters type */
export type ReadReplicaStateParams = void;

/** 'ReadReplicaState' return type */
export interface ReadReplicaStateResult {
  bypasses_policies: boolean;
  replayed: string | null;
}

/** 'ReadReplicaState' query type */
export interface ReadReplicaStateQuery {
  params: ReadReplicaStateParams;
  result: ReadReplicaStateResult;
}

const readReplicaStateIR: any = {"usedParamSet":{},"params":[],"statement":"-- How far a standby has replayed the log, null on any other server (where the position of an earlier recovery remains), and whether its role is hidden from row-level security.\nSELECT\n  CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text END AS \"replayed?\",\n  (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS \"bypasses_policies!\""};

/**
 * Query generated from SQL:
 * ```
 * -- How far a standby has replayed the log, null on any other server (where the position of an earlier recovery remains), and whether its role is hidden from row-level security.
 * SELECT
 *   CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text END AS "replayed?",
 *   (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS "bypasses_policies!"
 * ```
 */
export const readReplicaState = new PreparedQuery<ReadReplicaStateParams,ReadReplicaStateResult>(readReplicaStateIR);


