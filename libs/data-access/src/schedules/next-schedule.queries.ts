/** Types generated for queries found in "libs/data-access/src/schedules/next-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MsUntilNextSchedule' parameters type */
export type MsUntilNextScheduleParams = void;

/** 'MsUntilNextSchedule' return type */
export interface MsUntilNextScheduleResult {
  ms: number | null;
}

/** 'MsUntilNextSchedule' query type */
export interface MsUntilNextScheduleQuery {
  params: MsUntilNextScheduleParams;
  result: MsUntilNextScheduleResult;
}

const msUntilNextScheduleIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT (extract(epoch FROM min(next_run_at) - clock_timestamp()) * 1000)::float8 AS ms FROM schedules WHERE is_active"};

/**
 * Query generated from SQL:
 * ```
 * SELECT (extract(epoch FROM min(next_run_at) - clock_timestamp()) * 1000)::float8 AS ms FROM schedules WHERE is_active
 * ```
 */
export const msUntilNextSchedule = new PreparedQuery<MsUntilNextScheduleParams,MsUntilNextScheduleResult>(msUntilNextScheduleIR);


