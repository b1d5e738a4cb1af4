/** Types generated for queries found in "libs/data-access/src/schedules/find-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindSchedule' parameters type */
export interface FindScheduleParams {
  id: string;
  organizationId: string;
}

/** 'FindSchedule' return type */
export interface FindScheduleResult {
  created_at: string;
  cron_expression: string;
  description: string | null;
  id: string;
  is_active: boolean;
  last_run_at: string | null;
  max_retries: number;
  metadata: string | null;
  name: string;
  next_run_at: string | null;
  organization_id: string;
  payload_template: string;
  priority: number;
  queue_name: string;
  run_count: number;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
  updated_at: string;
}

/** 'FindSchedule' query type */
export interface FindScheduleQuery {
  params: FindScheduleParams;
  result: FindScheduleResult;
}

const findScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":334,"b":349}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":360,"b":363}]}],"statement":"SELECT\n  id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,\n  timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at\nFROM schedules\nWHERE organization_id = :organizationId! AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT
 *   id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
 *   timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
 * FROM schedules
 * WHERE organization_id = :organizationId! AND id = :id!
 * ```
 */
export const findSchedule = new PreparedQuery<FindScheduleParams,FindScheduleResult>(findScheduleIR);


/** 'LockSchedule' parameters type */
export interface LockScheduleParams {
  id: string;
  organizationId: string;
}

/** 'LockSchedule' return type */
export interface LockScheduleResult {
  created_at: string;
  cron_expression: string;
  description: string | null;
  id: string;
  is_active: boolean;
  last_run_at: string | null;
  max_retries: number;
  metadata: string | null;
  name: string;
  next_run_at: string | null;
  organization_id: string;
  payload_template: string;
  priority: number;
  queue_name: string;
  run_count: number;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
  updated_at: string;
}

/** 'LockSchedule' query type */
export interface LockScheduleQuery {
  params: LockScheduleParams;
  result: LockScheduleResult;
}

const lockScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":334,"b":349}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":360,"b":363}]}],"statement":"SELECT\n  id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,\n  timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at\nFROM schedules\nWHERE organization_id = :organizationId! AND id = :id!\nFOR NO KEY UPDATE"};

/**
 * Query generated from SQL:
 * ```
 * SELECT
 *   id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
 *   timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
 * FROM schedules
 * WHERE organization_id = :organizationId! AND id = :id!
 * FOR NO KEY UPDATE
 * ```
 */
export const lockSchedule = new PreparedQuery<LockScheduleParams,LockScheduleResult>(lockScheduleIR);


