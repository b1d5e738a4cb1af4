/** Types generated for queries found in "libs/queue/src/tasks/next-deadlines.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'NextDeadlines' parameters type */
export type NextDeadlinesParams = void;

/** 'NextDeadlines' return type */
export interface NextDeadlinesResult {
  job: number | null;
  operation: number | null;
  pause_expiry: number | null;
  schedule: number | null;
}

/** 'NextDeadlines' query type */
export interface NextDeadlinesQuery {
  params: NextDeadlinesParams;
  result: NextDeadlinesResult;
}

const nextDeadlinesIR: any = {"usedParamSet":{},"params":[],"statement":"-- Milliseconds until the next job is due or its lease ends, and until the next schedule, step of an operation and end of a pause; negative\n-- when overdue, null = none. Across all tenants, so as spooled_system. One statement, because an idle scheduler runs it every second:\n-- four took twice as many round trips.\n-- Index: operations_due, queue_config_pause_expiry.\nSELECT\n  (extract(epoch FROM next_deadline_v1() - current_ts(clock_timestamp())) * 1000)::float8 AS job,\n  (SELECT (extract(epoch FROM min(next_run_at) - current_ts(clock_timestamp())) * 1000)::float8 FROM schedules WHERE is_active) AS schedule,\n  (SELECT (extract(epoch FROM min(next_step_at) - current_ts(clock_timestamp())) * 1000)::float8\n   FROM operations WHERE next_step_at IS NOT NULL) AS operation,\n  (SELECT (extract(epoch FROM min(pause_expires_at) - current_ts(clock_timestamp())) * 1000)::float8\n   FROM queue_config WHERE NOT enabled AND pause_expires_at IS NOT NULL) AS pause_expiry"};

/**
 * Query generated from SQL:
 * ```
 * -- Milliseconds until the next job is due or its lease ends, and until the next schedule, step of an operation and end of a pause; negative
 * -- when overdue, null = none. Across all tenants, so as spooled_system. One statement, because an idle scheduler runs it every second:
 * -- four took twice as many round trips.
 * -- Index: operations_due, queue_config_pause_expiry.
 * SELECT
 *   (extract(epoch FROM next_deadline_v1() - current_ts(clock_timestamp())) * 1000)::float8 AS job,
 *   (SELECT (extract(epoch FROM min(next_run_at) - current_ts(clock_timestamp())) * 1000)::float8 FROM schedules WHERE is_active) AS schedule,
 *   (SELECT (extract(epoch FROM min(next_step_at) - current_ts(clock_timestamp())) * 1000)::float8
 *    FROM operations WHERE next_step_at IS NOT NULL) AS operation,
 *   (SELECT (extract(epoch FROM min(pause_expires_at) - current_ts(clock_timestamp())) * 1000)::float8
 *    FROM queue_config WHERE NOT enabled AND pause_expires_at IS NOT NULL) AS pause_expiry
 * ```
 */
export const nextDeadlines = new PreparedQuery<NextDeadlinesParams,NextDeadlinesResult>(nextDeadlinesIR);


