/** Types generated for queries found in "libs/queue/src/recover/extend-leases.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'ExtendLeases' parameters type */
export interface ExtendLeasesParams {
  ids: stringArray;
  leftMs: numberArray;
}

/** 'ExtendLeases' return type */
export type ExtendLeasesResult = void;

/** 'ExtendLeases' query type */
export interface ExtendLeasesQuery {
  params: ExtendLeasesParams;
  result: ExtendLeasesResult;
}

const extendLeasesIR: any = {"usedParamSet":{"ids":true,"leftMs":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":379,"b":383}]},{"name":"leftMs","required":true,"transform":{"type":"scalar"},"locs":[{"a":394,"b":401}]}],"statement":"-- Writes into rows how long leases last that were renewed without them, up to the end of the attempt. The jobs are locked by this\n-- transaction.\n-- Relies on: job_queue primary key.\nUPDATE job_queue q SET lease_expires_at = least(\n  current_ts(clock_timestamp()) + leases.left_ms * interval '1 millisecond', q.started_at + make_interval(secs => q.timeout_seconds))\nFROM unnest(:ids!::uuid[], :leftMs!::float8[]) AS leases(job_id, left_ms)\nWHERE q.job_id = leases.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- Writes into rows how long leases last that were renewed without them, up to the end of the attempt. The jobs are locked by this
 * -- transaction.
 * -- Relies on: job_queue primary key.
 * UPDATE job_queue q SET lease_expires_at = least(
 *   current_ts(clock_timestamp()) + leases.left_ms * interval '1 millisecond', q.started_at + make_interval(secs => q.timeout_seconds))
 * FROM unnest(:ids!::uuid[], :leftMs!::float8[]) AS leases(job_id, left_ms)
 * WHERE q.job_id = leases.job_id
 * ```
 */
export const extendLeases = new PreparedQuery<ExtendLeasesParams,ExtendLeasesResult>(extendLeasesIR);


