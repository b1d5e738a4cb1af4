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
  settings?: string | null | void;
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
  settings: string | null;
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

const insertScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true,"name":true,"description":true,"cronExpression":true,"timezone":true,"queueName":true,"payloadTemplate":true,"priority":true,"maxRetries":true,"timeoutSeconds":true,"isActive":true,"tags":true,"metadata":true,"settings":true,"nextRunAt":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":226,"b":241}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":244,"b":247}]},{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":250,"b":255}]},{"name":"description","required":false,"transform":{"type":"scalar"},"locs":[{"a":258,"b":269}]},{"name":"cronExpression","required":true,"transform":{"type":"scalar"},"locs":[{"a":272,"b":287}]},{"name":"timezone","required":true,"transform":{"type":"scalar"},"locs":[{"a":290,"b":299}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":302,"b":312}]},{"name":"payloadTemplate","required":true,"transform":{"type":"scalar"},"locs":[{"a":317,"b":333}]},{"name":"priority","required":true,"transform":{"type":"scalar"},"locs":[{"a":336,"b":345}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":348,"b":359}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":362,"b":377}]},{"name":"isActive","required":true,"transform":{"type":"scalar"},"locs":[{"a":380,"b":389}]},{"name":"tags","required":false,"transform":{"type":"scalar"},"locs":[{"a":392,"b":396}]},{"name":"metadata","required":false,"transform":{"type":"scalar"},"locs":[{"a":399,"b":407}]},{"name":"settings","required":false,"transform":{"type":"scalar"},"locs":[{"a":410,"b":418}]},{"name":"nextRunAt","required":false,"transform":{"type":"scalar"},"locs":[{"a":421,"b":430}]}],"statement":"INSERT INTO schedules (\n  organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,\n  timeout_seconds, is_active, tags, metadata, settings, next_run_at)\nVALUES (\n  :organizationId!, :id!, :name!, :description, :cronExpression!, :timezone!, :queueName!,\n  :payloadTemplate!, :priority!, :maxRetries!, :timeoutSeconds!, :isActive!, :tags, :metadata, :settings, :nextRunAt)\nRETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,\n  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO schedules (
 *   organization_id, id, name, description, cron_expression, timezone, queue_name, payload_template, priority, max_retries,
 *   timeout_seconds, is_active, tags, metadata, settings, next_run_at)
 * VALUES (
 *   :organizationId!, :id!, :name!, :description, :cronExpression!, :timezone!, :queueName!,
 *   :payloadTemplate!, :priority!, :maxRetries!, :timeoutSeconds!, :isActive!, :tags, :metadata, :settings, :nextRunAt)
 * RETURNING id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
 *   max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags::text AS tags, metadata::text AS metadata, settings::text AS settings, created_at, updated_at
 * ```
 */
export const insertSchedule = new PreparedQuery<InsertScheduleParams,InsertScheduleResult>(insertScheduleIR);


