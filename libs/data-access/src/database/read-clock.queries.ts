/** Types generated for queries found in "libs/data-access/src/database/read-clock.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadClock' parameters type */
export type ReadClockParams = void;

/** 'ReadClock' return type */
export interface ReadClockResult {
  now: string;
}

/** 'ReadClock' query type */
export interface ReadClockQuery {
  params: ReadClockParams;
  result: ReadClockResult;
}

const readClockIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT current_ts(clock_timestamp()) AS \"now!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT current_ts(clock_timestamp()) AS "now!"
 * ```
 */
export const readClock = new PreparedQuery<ReadClockParams,ReadClockResult>(readClockIR);


