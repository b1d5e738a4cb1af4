/** Types generated for queries found in "libs/data-access/src/administration/reset-usage.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ResetUsage' parameters type */
export type ResetUsageParams = void;

/** 'ResetUsage' return type */
export type ResetUsageResult = void;

/** 'ResetUsage' query type */
export interface ResetUsageQuery {
  params: ResetUsageParams;
  result: ResetUsageResult;
}

const resetUsageIR: any = {"usedParamSet":{},"params":[],"statement":"-- Resets the number of jobs that the current organization has created today.\nDELETE FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date"};

/**
 * Query generated from SQL:
 * ```
 * -- Resets the number of jobs that the current organization has created today.
 * DELETE FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date
 * ```
 */
export const resetUsage = new PreparedQuery<ResetUsageParams,ResetUsageResult>(resetUsageIR);


