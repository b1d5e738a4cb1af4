import type { CommandBody, CommandKind, CommandOf, JobQuota, NewJob } from '@spooled/contracts';
import { v7 as newId } from 'uuid';

/** A plan without limits. */
export const unlimited: JobQuota = {
  plan: 'enterprise',
  upgradeTo: null,
  maxJobsPerDay: null,
  maxActiveJobs: null,
  maxQueues: null,
};

export const newJob = (more: Partial<NewJob> = {}): NewJob => ({
  id: newId(),
  queueName: 'emails',
  payload: '{"to":"ada@example.com"}',
  jobType: '',
  priority: 0,
  maxRetries: null,
  timeoutSeconds: null,
  scheduledAt: null,
  expiresAt: null,
  idempotencyKey: null,
  tags: null,
  parentJobId: null,
  completionWebhook: null,
  completionWebhookSecret: null,
  ...more,
});

export const command = <K extends CommandKind>(
  kind: K,
  organizationId: string,
  body: CommandBody<K>,
  more: Partial<CommandOf<K>> = {},
): CommandOf<K> => ({
  id: newId(),
  kind,
  organizationId,
  ttlMs: 10_000,
  traceparent: null,
  actor: null,
  body,
  ...more,
});

export const enqueue = (
  organizationId: string,
  jobs: NewJob[],
  quota: JobQuota = unlimited,
): CommandOf<'job.enqueue'> =>
  command('job.enqueue', organizationId, { jobs, quota, defaults: { maxRetries: 3, timeoutSeconds: 300 } });

export const claim = (organizationId: string, more: Partial<CommandBody<'job.claim'>> = {}): CommandOf<'job.claim'> =>
  command('job.claim', organizationId, { queueName: 'emails', workerId: 'w1', limit: 1, leaseSeconds: 30, ...more });
