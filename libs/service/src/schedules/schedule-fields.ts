import { type scheduleSchemas, textOrNull } from '@spooled/contracts';
import type { ScheduleFields } from '@spooled/data-access';
import { fieldsOfJobSettings, type CallbackPolicy, type JobSettingFields, type JobSettings } from '@spooled/domain';
import { readJobSettings } from '../jobs/job-settings.js';

export const scheduleDefaults = { timezone: 'UTC', priority: 0, maxRetries: 3, timeoutSeconds: 300 };

/** The settings of a schedule's jobs. */
export const storedSettings = (text: string | null): JobSettings | null =>
  text === null ? null : (JSON.parse(text) as JobSettings);

const settingsText = (fields: JobSettingFields, policy: CallbackPolicy): string | null => {
  const settings = readJobSettings(fields, policy);
  return settings === null ? null : JSON.stringify(settings);
};

/** The fields of a new schedule. @param payload template as JSON text. @throws SpooledError 400 for a callback that is not allowed */
export const newSchedule = (
  body: scheduleSchemas.CreateScheduleBody,
  payload: string,
  policy: CallbackPolicy,
): ScheduleFields => ({
  name: body.name,
  description: body.description ?? null,
  cron_expression: body.cron_expression,
  timezone: body.timezone ?? scheduleDefaults.timezone,
  queue_name: body.queue_name,
  payload_template: payload,
  priority: body.priority ?? scheduleDefaults.priority,
  max_retries: body.max_retries ?? scheduleDefaults.maxRetries,
  timeout_seconds: body.timeout_seconds ?? scheduleDefaults.timeoutSeconds,
  is_active: true,
  tags: textOrNull(body.tags),
  metadata: textOrNull(body.metadata),
  settings: settingsText(body, policy),
});

/**
 * The settings after an update; absent fields stay. Another URL takes over neither headers nor secret: who may change a schedule must
 * not have them sent to a receiver of their own.
 */
function changedSettings(before: string | null, body: JobSettingFields, policy: CallbackPolicy): string | null {
  const { callback_url, callback_headers, callback_secret, callback_timeout_seconds, backoff } = body;
  const own = { callback_url, callback_headers, callback_secret, callback_timeout_seconds, backoff };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as JobSettingFields;
  if (Object.keys(given).length === 0) return before;
  const kept = fieldsOfJobSettings(storedSettings(before));
  if (given.callback_url === undefined || given.callback_url === kept.callback_url) {
    return settingsText({ ...kept, ...given }, policy);
  }
  return settingsText({ backoff: kept.backoff, ...given }, policy);
}

/** Applies an update: null clears optional fields and leaves the others unchanged. @param payload null leaves the template unchanged */
export const changedSchedule = (
  before: ScheduleFields,
  body: scheduleSchemas.UpdateScheduleBody,
  payload: string | null,
  policy: CallbackPolicy,
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
  settings: changedSettings(before.settings, body, policy),
});
