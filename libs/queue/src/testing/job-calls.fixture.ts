import type { Command, CommandBody, CommandKind, CommandResult, NewJob, Outcome } from '@spooled/contracts';
import { type Action, command, type Ending, unlimited } from '@spooled/testing';

type ActionOf<V extends Action['verb']> = Extract<Action, { verb: V }>;

/** A lease as its worker names it. */
export type OfLease = { job: string; lease: string; worker: string };

/** A call of a caller: what a history says about it, and the command that is sent. */
export interface JobCall<A extends Action = Action> {
  action: A;
  /** A new command each time. */
  command(organizationId: string): Command;
  /** @param outcome undefined = it was never answered */
  ending(outcome: Outcome | undefined): Ending<A>;
}

interface Reading<K extends CommandKind> {
  /** What the answer adds to the action. */
  answer?: (result: CommandResult<K>) => unknown;
  /** Whether the answer says that something was done. */
  happened?: (result: CommandResult<K>) => boolean;
}

function call<A extends Action, K extends CommandKind>(
  action: A,
  kind: K,
  body: CommandBody<K>,
  { answer, happened = () => true }: Reading<K> = {},
): JobCall<A> {
  return {
    action,
    command: (organizationId) => command(kind, organizationId, body) as Command,
    ending: (outcome) => {
      if (!outcome) return { outcome: 'unknown' };
      if (!outcome.ok) return { outcome: 'refused' };
      const result = outcome.value as CommandResult<K>;
      if (!happened(result)) return { outcome: 'refused' };
      return { outcome: 'ok', ...(answer && { answer: answer(result) }) } as Ending<A>;
    },
  };
}

function enqueueAction(job: NewJob): ActionOf<'enqueue'> {
  const { id, priority, idempotencyKey: key, parentJobId: parent, scheduledAt, expiresAt } = job;
  return {
    verb: 'enqueue',
    job: id,
    queue: job.queueName,
    priority,
    maxRetries: job.maxRetries!,
    key,
    parent,
    due: scheduledAt === null ? null : Date.parse(scheduledAt),
    expires: expiresAt === null ? null : Date.parse(expiresAt),
    reported: job.completionWebhook !== null,
  };
}

const defaults = { maxRetries: 3, timeoutSeconds: 300 };

export const enqueueCall = (job: NewJob): JobCall<ActionOf<'enqueue'>> =>
  call(
    enqueueAction(job),
    'job.enqueue',
    { jobs: [job], quota: unlimited, defaults },
    { answer: ({ jobs }) => jobs[0]!.jobId },
  );

/** A new job that joins a batch. */
export const addCall = (batchId: string, job: NewJob): JobCall<ActionOf<'enqueue'>> =>
  call(
    enqueueAction(job),
    'batch.add',
    { batchId, jobs: [job], maxJobs: 100, quota: unlimited, queues: null, defaults },
    { answer: ({ jobs }) => jobs[0]!.jobId },
  );

export function claimCall(
  queue: string,
  worker: string,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): JobCall<ActionOf<'claim'>> {
  const body = { queueName: queue, workerId: worker, limit, leaseSeconds };
  const answer = ({ jobs }: CommandResult<'job.claim'>) =>
    jobs.map(({ id, leaseId, leaseExpiresAt, priority }) => ({
      job: id,
      lease: leaseId,
      priority,
      // Microseconds are cut off.
      expiresAt: Date.parse(leaseExpiresAt) + 1,
    }));
  return call({ verb: 'claim', queue, worker }, 'job.claim', body, { answer });
}

const proofOf = ({ job, worker, lease }: OfLease) => ({ jobId: job, workerId: worker, leaseId: lease, queues: null });

export const completeCall = (lease: OfLease): JobCall =>
  call({ verb: 'complete', ...lease }, 'job.complete', { ...proofOf(lease), result: 'true' });

export const failCall = (lease: OfLease, retry: boolean): JobCall =>
  call({ verb: 'fail', ...lease, retry }, 'job.fail', { ...proofOf(lease), error: 'smtp says no', retry });

export const renewCall = (lease: OfLease): JobCall =>
  call(
    { verb: 'renew', ...lease },
    'job.renew',
    { ...proofOf(lease), leaseSeconds: 30 },
    {
      answer: ({ leaseExpiresAt }) => Date.parse(leaseExpiresAt) + 1,
    },
  );

/** @param holder it proves the lease by its id alone: no worker to get wrong */
export function releaseCall(holder: OfLease): JobCall {
  const body = { leases: [{ jobId: holder.job, leaseId: holder.lease }], delivered: true };
  const happened = ({ releasedJobs }: CommandResult<'job.release'>) => releasedJobs === 1;
  return call({ verb: 'release', ...holder }, 'job.release', body, { happened });
}

export const cancelCall = (job: string): JobCall =>
  call({ verb: 'cancel', job }, 'job.cancel', { jobId: job, queues: null });

export const requestCancelCall = (job: string, force: boolean): JobCall =>
  call({ verb: 'requestCancel', job, force }, 'job.requestCancellation', {
    jobId: job,
    queues: null,
    reason: null,
    force,
    graceSeconds: null,
  });

export const [waitName, stepName] = ['approval', 'charge'];
export const stepCall = (lease: OfLease, value: string): JobCall =>
  call({ verb: 'step', ...lease, step: stepName, value }, 'job.recordStep', {
    ...proofOf(lease),
    step: stepName,
    result: JSON.stringify(value),
  });

export const waitCall = (lease: OfLease, waitMs: number): JobCall<ActionOf<'wait'>> =>
  call(
    { verb: 'wait', ...lease, step: waitName, waitMs },
    'job.wait',
    { ...proofOf(lease), step: waitName, waitFor: 'signal', waitMs },
    { answer: ({ isOver }) => isOver },
  );

export const signalCall = (job: string): JobCall<ActionOf<'signal'>> =>
  call(
    { verb: 'signal', job, step: waitName },
    'job.signal',
    { jobId: job, step: waitName, payload: 'true', queues: null },
    { answer: (answer) => answer },
  );

export const dependCall = (job: string, parent: string): JobCall =>
  call({ verb: 'depend', job, parent }, 'job.addDependencies', {
    jobId: job,
    dependsOn: [parent],
    mode: null,
    queues: null,
  });

export const retryCall = (job: string): JobCall =>
  call({ verb: 'retry', job }, 'job.retry', { jobId: job, queues: null, quota: unlimited });

export function purgeCall(job: string): JobCall {
  const body = { jobIds: [job], queueName: null, olderThan: null, limit: 1, issuedAt: null };
  return call({ verb: 'purge', job }, 'deadletter.purge', body, { happened: ({ purged }) => purged === 1 });
}
