/** Types generated for queries found in "libs/data-access/src/schedules/update-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'UpdateSchedule' parameters type */
export interface UpdateScheduleParams {
  cronExpression: string;
  description?: string | null | void;
  id: string;
  isActive: boolean;
  maxRetries: number;
  metadata?: string | null | void;
  name: string;
  nextRunAt?: string | null | void;
  organizationId: string;
  payloadTemplate: string;
  priority: number;
  queueName: string;
  settings?: string | null | void;
  tags?: string | null | void;
  timeoutSeconds: number;
  timezone: string;
}

/** 'UpdateSchedule' return type */
export interface UpdateScheduleResult {
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

/** 'UpdateSchedule' query type */
export interface UpdateScheduleQuery {
  params: UpdateScheduleParams;
  result: UpdateScheduleResult;
}

const updateScheduleIR: any = {"usedParamSet":{"name":true,"description":true,"cronExpression":true,"timezone":true,"queueName":true,"payloadTemplate":true,"priority":true,"maxRetries":true,"timeoutSeconds":true,"isActive":true,"tags":true,"metadata":true,"settings":true,"nextRunAt":true,"organizationId":true,"id":true},"params":[{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":30,"b":35}]},{"name":"description","required":false,"transform":{"type":"scalar"},"locs":[{"a":52,"b":63}]},{"name":"cronExpression","required":true,"transform":{"type":"scalar"},"locs":[{"a":84,"b":99}]},{"name":"timezone","required":true,"transform":{"type":"scalar"},"locs":[{"a":113,"b":122}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":138,"b":148}]},{"name":"payloadTemplate","required":true,"transform":{"type":"scalar"},"locs":[{"a":172,"b":188}]},{"name":"priority","required":true,"transform":{"type":"scalar"},"locs":[{"a":202,"b":211}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":230,"b":241}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":262,"b":277}]},{"name":"isActive","required":true,"transform":{"type":"scalar"},"locs":[{"a":292,"b":301}]},{"name":"tags","required":false,"transform":{"type":"scalar"},"locs":[{"a":311,"b":315}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":329,"b":337}]},{"name":"settings","required":false,"transform":{"type":"scalar"},"locs":[{"a":351,"b":359}]},{"name":"nextRunAt","required":false,"transform":{"type":"scalar"},"locs":[{"a":380,"b":389}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":582,"b":597}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":608,"b":611}]}],"statement":"UPDATE schedules SET\n  name = :name!, description = :description, cron_expression = :cronExpression!, timezone = :timezone!, queue_name = :queueName!,\n  payload_template = :payloadTemplate!, priority = :priority!,\n  max_retries = :maxRetries!, timeout_seconds = :timeoutSeconds!, is_active = :isActive!, tags = :tags, metadata = :metadata, settings = :settings,\n    next_run_at = :nextRunAt,\n  -- Always increases, even within one transaction: the scheduler detects changes by it.\n  updated_at = greatest(current_ts(), updated_at + interval '1 microsecond')\nWHERE organization_id = :organizationId! AND id = :id!\nRETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at"};

/**
 * Query generated from SQL:
 * ```
 * UPDATE schedules SET
 *   name = :name!, description = :description, cron_expression = :cronExpression!, timezone = :timezone!, queue_name = :queueName!,
 *   payload_template = :payloadTemplate!, priority = :priority!,
 *   max_retries = :maxRetries!, timeout_seconds = :timeoutSeconds!, is_active = :isActive!, tags = :tags, metadata = :metadata, settings = :settings,
 *     next_run_at = :nextRunAt,
 *   -- Always increases, even within one transaction: the scheduler detects changes by it.
 *   updated_at = greatest(current_ts(), updated_at + interval '1 microsecond')
 * WHERE organization_id = :organizationId! AND id = :id!
 * RETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
 * ```
 */
export const updateSchedule = new PreparedQuery<UpdateScheduleParams,UpdateScheduleResult>(updateScheduleIR);


