/** Types generated for queries found in "libs/data-access/src/schedules/insert-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'InsertSchedule' parameters type */
export interface InsertScheduleParams {
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
  tags?: string | null | void;
  timeoutSeconds: number;
  timezone: string;
}

/** 'InsertSchedule' return type */
export interface InsertScheduleResult {
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
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
  updated_at: string;
}

/** 'InsertSchedule' query type */
export interface InsertScheduleQuery {
  params: InsertScheduleParams;
  result: InsertScheduleResult;
}

const insertScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true,"name":true,"description":true,"cronExpression":true,"timezone":true,"queueName":true,"payloadTemplate":true,"priority":true,"maxRetries":true,"timeoutSeconds":true,"isActive":true,"tags":true,"metadata":true,"nextRunAt":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":216,"b":231}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":234,"b":237}]},{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":240,"b":245}]},{"name":"description","required":false,"transform":{"type":"scalar"},"locs":[{"a":248,"b":259}]},{"name":"cronExpression","required":true,"transform":{"type":"scalar"},"locs":[{"a":262,"b":277}]},{"name":"timezone","required":true,"transform":{"type":"scalar"},"locs":[{"a":280,"b":289}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":292,"b":302}]},{"name":"payloadTemplate","required":true,"transform":{"type":"scalar"},"locs":[{"a":307,"b":323}]},{"name":"priority","required":true,"transform":{"type":"scalar"},"locs":[{"a":326,"b":335}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":338,"b":349}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":352,"b":367}]},{"name":"isActive","required":true,"transform":{"type":"scalar"},"locs":[{"a":370,"b":379}]},{"name":"tags","required":false,"transform":{"type":"scalar"},"locs":[{"a":382,"b":386}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":389,"b":397}]},{"name":"nextRunAt","required":false,"transform":{"type":"scalar"},"locs":[{"a":400,"b":409}]}],"statement":"INSERT INTO schedules (\n  organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,\n  timeout_seconds, is_active, tags, metadata, next_run_at)\nVALUES (\n  :organizationId!, :id!, :name!, :description, :cronExpression!, :timezone!, :queueName!,\n  :payloadTemplate!, :priority!, :maxRetries!, :timeoutSeconds!, :isActive!, :tags, :metadata, :nextRunAt)\nRETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, created_at, updated_at"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO schedules (
 *   organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
 *   timeout_seconds, is_active, tags, metadata, next_run_at)
 * VALUES (
 *   :organizationId!, :id!, :name!, :description, :cronExpression!, :timezone!, :queueName!,
 *   :payloadTemplate!, :priority!, :maxRetries!, :timeoutSeconds!, :isActive!, :tags, :metadata, :nextRunAt)
 * RETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, created_at, updated_at
 * ```
 */
export const insertSchedule = new PreparedQuery<InsertScheduleParams,InsertScheduleResult>(insertScheduleIR);


