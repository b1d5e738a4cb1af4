import type { Command, CommandBody, CommandKind, CommandResult, Outcome } from '@spooled/contracts';
import {
  type Action,
  type Ending,
  type History,
  type SeededRandom,
  command,
  newJob,
  unlimited,
} from '@spooled/testing';
import type { GroupCommit } from '../engine/group-commit.js';

/** Places of the queue `narrow`. */
export const narrowPlaces = 2;
const queues = ['wide', 'narrow', 'spare'] as const;
/** More for the queue whose claims take turns. */
const claimedQueues = ['wide', 'narrow', 'narrow', 'spare'] as const;
/** How often callers do what. */
const weights = {
  enqueue: 30,
  claim: 30,
  complete: 18,
  fail: 9,
  renew: 6,
  release: 4,
  cancel: 5,
  retry: 6,
  purge: 2,
  foreign: 4,
};
const maxDeliveries = 20;
/** Callers choose among as many leases and jobs, so that they meet. */
const mostRecent = 12;
const workers = ['w1', 'w2'] as const;

type OfLease = { job: string; lease: string; worker: string };

/** A tenant whose callers work at random, and who remember each lease that they ever had. */
export class RandomTenant {
  readonly leases: OfLease[] = [];
  readonly jobs: { id: string; queue: string }[] = [];
  /** Cancelled and dead ones. */
  private readonly ended: string[] = [];

  constructor(
    readonly id: string,
    private readonly context: {
      engines: readonly GroupCommit[];
      history: History;
      random: SeededRandom;
    },
  ) {}

  /** One call. @param other a tenant whose leases it tries too */
  async act(other: RandomTenant): Promise<void> {
    const verb = this.context.random.weighted(weights);
    if (verb === 'enqueue') return this.enqueue();
    if (verb === 'claim')
      return this.claim(this.random.of(claimedQueues)!, this.random.between(1, 3), this.random.between(5, 30));
    if (verb === 'cancel' || verb === 'retry' || verb === 'purge') return this.change(verb);
    const lease = this.random.of((verb === 'foreign' ? other : this).leases.slice(-mostRecent));
    if (!lease) return;
    const worker = this.random.happens(0.2) ? this.random.of(workers)! : lease.worker;
    await this.end(verb === 'foreign' ? this.random.of(['complete', 'fail', 'release', 'renew'] as const)! : verb, {
      ...lease,
      worker,
    });
  }

  /** Claims all that is claimable and completes most of it. @returns how many jobs it was granted */
  async drain(): Promise<number> {
    const before = this.leases.length;
    for (const queue of queues) await this.claim(queue, 20, 30);
    for (const lease of this.leases.slice(before))
      await this.end(this.random.happens(0.9) ? 'complete' : 'fail', lease);
    return this.leases.length - before;
  }

  private get random(): SeededRandom {
    return this.context.random;
  }

  private recentJob(isMeant: (job: RandomTenant['jobs'][number]) => boolean) {
    return this.random.of(this.jobs.filter(isMeant).slice(-mostRecent));
  }

  private async enqueue(): Promise<void> {
    const { random } = this;
    const queue = random.of(queues)!;
    const keyed = queue !== 'spare' && random.happens(0.25);
    const parent = random.happens(0.35) ? (this.recentJob((job) => job.queue !== 'spare')?.id ?? null) : null;
    const due = random.happens(0.15) ? this.context.history.now() + random.between(5, 40) * 1000 : null;
    const job = newJob({
      queueName: queue,
      priority: random.between(0, 2),
      maxRetries: random.between(0, 2),
      idempotencyKey: keyed ? `key-${random.between(0, 9)}` : null,
      parentJobId: parent,
      scheduledAt: due === null ? null : new Date(due).toISOString(),
      completionWebhook: random.happens(0.3) ? 'https://receiver.example/' : null,
    });
    const { id, priority, maxRetries, idempotencyKey: key } = job;
    const asked = {
      job: id,
      queue,
      priority,
      maxRetries: maxRetries!,
      key,
      parent,
      due,
      reported: job.completionWebhook !== null,
    };
    const body = { jobs: [job], quota: unlimited, defaults: { maxRetries: 3, timeoutSeconds: 300 } };
    const ending = await this.call({ verb: 'enqueue', ...asked }, 'job.enqueue', body, ({ jobs }) => jobs[0]!.jobId);
    if (ending.outcome === 'ok' && ending.answer === id) this.jobs.push({ id, queue });
  }

  private async claim(queue: string, limit: number, leaseSeconds: number): Promise<void> {
    const worker = this.random.of(workers)!;
    const body = { queueName: queue, workerId: worker, limit, leaseSeconds };
    const ending = await this.call({ verb: 'claim', queue, worker }, 'job.claim', body, ({ jobs }) =>
      jobs.map(({ id, leaseId, leaseExpiresAt, priority }) => ({
        job: id,
        lease: leaseId,
        priority,
        // Microseconds are cut off.
        expiresAt: Date.parse(leaseExpiresAt) + 1,
      })),
    );
    const granted = ending.outcome === 'ok' ? (ending.answer ?? []) : [];
    this.leases.push(...granted.map(({ job, lease }) => ({ job, lease, worker })));
  }

  private async end(verb: 'complete' | 'fail' | 'release' | 'renew', lease: OfLease): Promise<void> {
    const proof = { jobId: lease.job, workerId: lease.worker, leaseId: lease.lease, queues: null };
    if (verb === 'complete') await this.call({ verb, ...lease }, 'job.complete', { ...proof, result: 'true' });
    if (verb === 'fail') {
      const retry = this.random.happens(0.8);
      const { outcome } = await this.call({ verb, ...lease, retry }, 'job.fail', {
        ...proof,
        error: 'smtp says no',
        retry,
      });
      if (outcome === 'ok' && !retry) this.ended.push(lease.job);
    }
    if (verb === 'renew') {
      const body = { ...proof, leaseSeconds: 30 };
      await this.call({ verb, ...lease }, 'job.renew', body, ({ leaseExpiresAt }) => Date.parse(leaseExpiresAt) + 1);
    }
    // It proves the lease by its id alone: no worker to get wrong.
    const holder = this.leases.find((own) => own.lease === lease.lease) ?? lease;
    if (verb === 'release') {
      const body = { leases: [{ jobId: lease.job, leaseId: lease.lease }], delivered: true };
      await this.call({ verb, ...holder }, 'job.release', body, undefined, ({ releasedJobs }) => releasedJobs === 1);
    }
  }

  private async change(verb: 'cancel' | 'retry' | 'purge'): Promise<void> {
    // What was retried is not deleted, so that its usage stays countable.
    const recent = this.recentJob(({ queue }) => (queue === 'spare') === (verb === 'purge'))?.id;
    const job = verb === 'retry' && this.random.happens(0.7) ? this.ended.pop() : recent;
    if (!job) return;
    const own = { jobId: job, queues: null };
    if (verb === 'retry') await this.call({ verb, job }, 'job.retry', { ...own, quota: unlimited });
    if (verb === 'cancel') {
      const { outcome } = await this.call({ verb, job }, 'job.cancel', own);
      if (outcome === 'ok') this.ended.push(job);
    }
    if (verb === 'purge') {
      const body = { jobIds: [job], queueName: null, olderThan: null, limit: 1, issuedAt: null };
      await this.call({ verb, job }, 'deadletter.purge', body, undefined, ({ purged }) => purged === 1);
    }
  }

  /** Records the call, and delivers its command until it is answered: answers are lost, and engines fail. */
  private call<A extends Action, K extends CommandKind>(
    action: A,
    kind: K,
    body: CommandBody<K>,
    answer?: (result: CommandResult<K>) => unknown,
    happened: (result: CommandResult<K>) => boolean = () => true,
  ): Promise<Ending<A>> {
    const sent = command(kind, this.id, body);
    return this.context.history.record(this.id, action, async (): Promise<Ending<A>> => {
      const late: Command[] = [];
      const outcome = await this.deliverUntilAnswered(sent as Command, late);
      // Their engine was slow: a later delivery has been answered, so they may change nothing.
      for (const delivery of late) await this.engine(delivery).submit(delivery);
      if (!outcome) return { outcome: 'unknown' };
      if (!outcome.ok) return { outcome: 'refused' };
      const result = outcome.value as CommandResult<K>;
      if (!happened(result)) return { outcome: 'refused' };
      return { outcome: 'ok', ...(answer && { answer: answer(result) }) } as Ending<A>;
    });
  }

  /** @param late gets the deliveries that are not to run yet */
  private async deliverUntilAnswered(sent: Command, late: Command[]): Promise<Outcome | undefined> {
    for (let number = 1; number <= maxDeliveries; number++) {
      const delivery = { ...sent, delivery: number, ...(number > 1 && { redelivered: true }) } as Command;
      if (number < maxDeliveries && this.random.happens(0.05)) {
        late.push(delivery);
        continue;
      }
      const outcome = (await this.engine(delivery).submit(delivery)) as Outcome;
      const isLost = this.random.happens(0.1);
      if (!isLost && (outcome.ok || outcome.error.status < 500)) return outcome;
    }
    return undefined;
  }

  /** Successive deliveries go to different engines. */
  private engine({ delivery }: Command): GroupCommit {
    return this.context.engines[delivery! % this.context.engines.length]!;
  }
}
