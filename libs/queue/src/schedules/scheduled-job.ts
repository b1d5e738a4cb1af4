import type { NewJob } from '@spooled/contracts';
import { jobTypeOf } from '@spooled/domain';

/** The fields of a job that its schedule defines. */
export type ScheduledJobFields = Pick<
  NewJob,
  'id' | 'queueName' | 'payload' | 'priority' | 'maxRetries' | 'timeoutSeconds' | 'tags' | 'settings'
>;

/** The job that a run of a schedule creates: only the fields that the schedule defines (MQ-24). */
export const scheduledJob = (fields: ScheduledJobFields): NewJob => ({
  ...fields,
  jobType: jobTypeOf(JSON.parse(fields.payload)),
  scheduledAt: null,
  expiresAt: null,
  idempotencyKey: null,
  parentJobId: null,
  completionWebhook: null,
  completionWebhookSecret: null,
});
