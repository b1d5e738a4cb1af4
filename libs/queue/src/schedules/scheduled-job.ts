import type { NewJob } from '@spooled/contracts';
import { jobTypeOf } from '@spooled/domain';

/** What a schedule says about its jobs. */
export type ScheduledJobFields = Pick<
  NewJob,
  'id' | 'queueName' | 'payload' | 'priority' | 'maxRetries' | 'timeoutSeconds' | 'tags'
>;

/** The job that a run of a schedule makes: everything that the schedule says, and nothing else (MQ-24). */
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
