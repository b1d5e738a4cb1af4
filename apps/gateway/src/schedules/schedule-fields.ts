import { type scheduleSchemas, textOrNull } from '@spooled/contracts';
import type { ScheduleFields } from '@spooled/data-access';

const defaults = { timezone: 'UTC', priority: 0, maxRetries: 3, timeoutSeconds: 300 };

/** The fields of a new schedule. @param payload template as JSON text */
export const newSchedule = (body: scheduleSchemas.CreateScheduleBody, payload: string): ScheduleFields => ({
  name: body.name,
  description: body.description ?? null,
  cron_expression: body.cron_expression,
  timezone: body.timezone ?? defaults.timezone,
  queue_name: body.queue_name,
  payload_template: payload,
  priority: body.priority ?? defaults.priority,
  max_retries: body.max_retries ?? defaults.maxRetries,
  timeout_seconds: body.timeout_seconds ?? defaults.timeoutSeconds,
  is_active: true,
  tags: textOrNull(body.tags),
  metadata: textOrNull(body.metadata),
});

/** Applies an update: null clears optional fields and leaves the others unchanged. @param payload null leaves the template unchanged */
export const changedSchedule = (
  before: ScheduleFields,
  body: scheduleSchemas.UpdateScheduleBody,
  payload: string | null,
): ScheduleFields => ({
  name: body.name ?? before.name,
  description: body.description === undefined ? before.description : body.description,
  cron_expression: body.cron_expression ?? before.cron_expression,
  timezone: body.timezone ?? before.timezone,
  queue_name: body.queue_name ?? before.queue_name,
  payload_template: payload ?? before.payload_template,
  priority: body.priority ?? before.priority,
  max_retries: body.max_retries ?? before.max_retries,
  timeout_seconds: body.timeout_seconds ?? before.timeout_seconds,
  is_active: body.is_active ?? before.is_active,
  tags: body.tags === undefined ? before.tags : textOrNull(body.tags),
  metadata: body.metadata === undefined ? before.metadata : textOrNull(body.metadata),
});
