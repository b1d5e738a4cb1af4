import { longestQueueName, jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { flagFilter, listPage, searchedPage } from './conventions.js';
import {
  atMost,
  count,
  instant,
  nullableTimestamp,
  optionalJson,
  newQueueName,
  queueName,
  requiredJson,
  smallJson,
  text,
  timestamp,
  whole,
} from './fields.js';
import { visibleJobSettingFields } from './job-settings.js';
import { newJobFieldsWithout, refusedOfSchedules, refusing } from './new-job.js';

const name = text(1, 255);
const description = text(0, 1000);
const cronExpression = text(9, 100).meta({
  description: 'Five fields (minute, hour, day of month, month, day of week), or six with seconds first.',
});
const timezone = text(0, 100).meta({ description: 'IANA name or ±HH:MM' });
const jobFields = newJobFieldsWithout(refusedOfSchedules);

const newSchedule = z.object({
  name,
  description: description.nullish(),
  cron_expression: cronExpression,
  timezone: timezone.nullish(),
  queue_name: newQueueName,
  payload_template: requiredJson,
  metadata: smallJson,
  ...jobFields,
});
export const createScheduleBody = refusing(refusedOfSchedules, newSchedule);
export type CreateScheduleBody = z.infer<typeof createScheduleBody>;

const scheduleChange = z.object({
  name: name.nullish(),
  description: description.nullish(),
  cron_expression: cronExpression.nullish(),
  timezone: timezone.nullish(),
  queue_name: queueName.nullish(),
  payload_template: optionalJson,
  is_active: z.boolean().nullish(),
  metadata: smallJson,
  ...jobFields,
});

/**
 * Absent fields stay unchanged. Null clears description, tags, metadata, callback and backoff, and leaves the others unchanged. Another
 * `callback_url` takes over neither headers nor secret.
 */
export const updateScheduleBody = refusing(refusedOfSchedules, scheduleChange);
export type UpdateScheduleBody = z.infer<typeof updateScheduleBody>;

const maxPreviewed = 25;

export const previewScheduleBody = z.strictObject({
  cron_expression: cronExpression,
  timezone: timezone.nullish(),
  count: whole(1, maxPreviewed).nullish().meta({ description: 'Runs to show; absent = 10' }),
  after: instant.nullish().meta({ description: 'Runs after this time; absent = now' }),
});
export type PreviewScheduleBody = z.infer<typeof previewScheduleBody>;

export const schedulePreview = z.object({
  cron_expression: z.string(),
  timezone: z.string(),
  runs: z
    .array(
      z.object({
        at: timestamp,
        local: z.string().meta({ description: 'The same in the time zone of the schedule, with its offset' }),
      }),
    )
    .max(maxPreviewed)
    .meta({ description: 'Fewer than asked for if there are no more, as for February 30' }),
});
export type SchedulePreview = z.infer<typeof schedulePreview>;

export const listSchedulesQuery = z.object({
  queue_name: atMost(longestQueueName).optional(),
  is_active: flagFilter(),
  ...searchedPage({ limit: 100, maxLimit: 500 }),
});
export type ListSchedulesQuery = z.infer<typeof listSchedulesQuery>;

export const scheduleHistoryQuery = z.object(listPage({ limit: 50, maxLimit: 500 }));
export type ScheduleHistoryQuery = z.infer<typeof scheduleHistoryQuery>;

const id = z.uuid();

export const schedule = z
  .object({
    id,
    organization_id: id,
    name: z.string(),
    description: z.string().nullable(),
    cron_expression: z.string(),
    timezone: z.string(),
    queue_name: z.string(),
    payload_template: z.unknown(),
    priority: z.int(),
    max_retries: z.int(),
    timeout_seconds: z.int(),
    is_active: z.boolean(),
    last_run_at: nullableTimestamp,
    next_run_at: nullableTimestamp.meta({ description: 'Null while the schedule is paused.' }),
    run_count: count,
    tags: z.unknown().nullable(),
    metadata: z.unknown().nullable(),
    ...visibleJobSettingFields,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Schedule' });

export const createdSchedule = z
  .object({ id, name: z.string(), cron_expression: z.string(), next_run_at: nullableTimestamp })
  .meta({ id: 'CreatedSchedule' });
export type CreatedSchedule = z.infer<typeof createdSchedule>;

/** The Node SDK calls the moment `scheduled_at`. */
export const triggeredSchedule = z
  .object({ job_id: id, triggered_at: timestamp, scheduled_at: timestamp })
  .meta({ id: 'TriggeredSchedule' });
export type TriggeredSchedule = z.infer<typeof triggeredSchedule>;

export const scheduleRun = z
  .object({
    id,
    schedule_id: id,
    job_id: id.nullable(),
    status: z.enum(['pending', 'running', 'completed', 'failed']),
    error_message: z.string().nullable(),
    started_at: timestamp,
    completed_at: nullableTimestamp,
    job_status: z.enum(jobStatuses).nullable(),
    source: z.enum(['schedule', 'manual']).meta({ description: '`manual`: by a request' }),
  })
  .meta({ id: 'ScheduleRun' });
export type ScheduleRun = z.infer<typeof scheduleRun>;
