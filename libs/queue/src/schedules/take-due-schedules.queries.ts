/** Types generated for queries found in "libs/queue/src/schedules/take-due-schedules.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'TakeDueSchedules' parameters type */
export interface TakeDueSchedulesParams {
  schedules: string;
}

/** 'TakeDueSchedules' return type */
export interface TakeDueSchedulesResult {
  id: string;
}

/** 'TakeDueSchedules' query type */
export interface TakeDueSchedulesQuery {
  params: TakeDueSchedulesParams;
  result: TakeDueSchedulesResult;
}

const takeDueSchedulesIR: any = {"usedParamSet":{"schedules":true},"params":[{"name":"schedules","required":true,"transform":{"type":"scalar"},"locs":[{"a":406,"b":416}]}],"statement":"-- Moves due schedules on to their next time, and returns the ids of those that are ours to fire: each only if it is still as it\n-- was read, so that of any number of schedulers one fires it (MQ-23). One that somebody else is just changing is left for later.\n-- :schedules [{id, due, changed, next | null}]. Index: primary key.\nWITH mine AS MATERIALIZED (\n  SELECT s.id, read.next\n  FROM json_to_recordset(:schedules!::json) AS read(id uuid, due timestamptz, changed timestamptz, next timestamptz)\n  JOIN schedules s ON s.id = read.id\n  WHERE s.is_active AND s.next_run_at = read.due AND s.updated_at = read.changed\n  FOR NO KEY UPDATE OF s SKIP LOCKED\n)\nUPDATE schedules s SET next_run_at = mine.next FROM mine WHERE s.id = mine.id\nRETURNING s.id"};

/**
 * Query generated from SQL:
 * ```
 * -- Moves due schedules on to their next time, and returns the ids of those that are ours to fire: each only if it is still as it
 * -- was read, so that of any number of schedulers one fires it (MQ-23). One that somebody else is just changing is left for later.
 * -- :schedules [{id, due, changed, next | null}]. Index: primary key.
 * WITH mine AS MATERIALIZED (
 *   SELECT s.id, read.next
 *   FROM json_to_recordset(:schedules!::json) AS read(id uuid, due timestamptz, changed timestamptz, next timestamptz)
 *   JOIN schedules s ON s.id = read.id
 *   WHERE s.is_active AND s.next_run_at = read.due AND s.updated_at = read.changed
 *   FOR NO KEY UPDATE OF s SKIP LOCKED
 * )
 * UPDATE schedules s SET next_run_at = mine.next FROM mine WHERE s.id = mine.id
 * RETURNING s.id
 * ```
 */
export const takeDueSchedules = new PreparedQuery<TakeDueSchedulesParams,TakeDueSchedulesResult>(takeDueSchedulesIR);


/** A record of `schedules`, as take-due-schedules.sql reads it. */
export interface TakeDueSchedulesRecord {
  id: string | null | undefined;
  due: string | null | undefined;
  changed: string | null | undefined;
  next: string | null | undefined;
}
