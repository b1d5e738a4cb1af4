/** Types generated for queries found in "libs/queue/src/schedules/lock-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'LockSchedule' parameters type */
export interface LockScheduleParams {
  id: string;
  organizationId: string;
}

/** 'LockSchedule' return type */
export interface LockScheduleResult {
  max_retries: number;
  now: string;
  payload: string;
  priority: number;
  queue_name: string;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
}

/** 'LockSchedule' query type */
export interface LockScheduleQuery {
  params: LockScheduleParams;
  result: LockScheduleResult;
}

const lockScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":262,"b":277}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":288,"b":291}]}],"statement":"-- A schedule to be run now, held until the transaction ends.\nSELECT\n  queue_name, payload_template AS payload, priority, max_retries, timeout_seconds, tags::text AS tags, settings::text AS settings, current_ts() AS \"now!\"\nFROM schedules WHERE organization_id = :organizationId! AND id = :id!\nFOR NO KEY UPDATE"};

/**
 * Query generated from SQL:
 * ```
 * -- A schedule to be run now, held until the transaction ends.
 * SELECT
 *   queue_name, payload_template AS payload, priority, max_retries, timeout_seconds, tags::text AS tags, settings::text AS settings, current_ts() AS "now!"
 * FROM schedules WHERE organization_id = :organizationId! AND id = :id!
 * FOR NO KEY UPDATE
 * ```
 */
export const lockSchedule = new PreparedQuery<LockScheduleParams,LockScheduleResult>(lockScheduleIR);


