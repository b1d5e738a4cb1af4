import type { Command, Outcome } from '@spooled/contracts';
import { type Action, type Ending, type History, newJob, type SeededRandom } from '@spooled/testing';
import type { GroupCommit } from '../engine/group-commit.js';
import {
  cancelCall,
  claimCall,
  completeCall,
  enqueueCall,
  failCall,
  type JobCall,
  type OfLease,
  purgeCall,
  releaseCall,
  renewCall,
  requestCancelCall,
  retryCall,
  signalCall,
  stepCall,
  waitCall,
} from './job-calls.fixture.js';

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
  requestCancel: 3,
  step: 6,
  wait: 6,
  signal: 6,
  retry: 6,
  purge: 2,
  foreign: 4,
};
export type Verb = keyof typeof weights;
/** How much more often, what is to happen often. */
const oftenTimes = 4;

const ofJob = ['cancel', 'requestCancel', 'signal', 'retry', 'purge'] as const;
type OfJob = (typeof ofJob)[number];
const isOfJob = (verb: string): verb is OfJob => (ofJob as readonly string[]).includes(verb);
type OfHeldJob = 'complete' | 'fail' | 'release' | 'renew' | 'step' | 'wait';

/** So that some end between two rounds. */
const waitMs = 15_000;
const maxDeliveries = 20;
/** Callers choose among as many leases and jobs, so that they meet. */
const mostRecent = 12;
/** Of which their ends are requested, so that many workers meet such a request. */
const mostRequested = 6;
const workers = ['w1', 'w2'] as const;

type EngineOf = (delivery: Command) => GroupCommit;

/** A tenant whose callers work at random, and who remember each lease that they ever had. */
export class RandomTenant {
  readonly leases: OfLease[] = [];
  readonly jobs: { id: string; queue: string }[] = [];
  /** A retry has an effect on these alone. */
  private readonly dead: string[] = [];
  private readonly weights: Record<Verb, number>;
  private calls = 0;

  constructor(
    readonly id: string,
    private readonly context: {
      engines: readonly GroupCommit[];
      history: History;
      random: SeededRandom;
      often: readonly Verb[];
    },
  ) {
    this.weights = { ...weights };
    for (const verb of context.often) this.weights[verb] *= oftenTimes;
  }

  /** One call. @param other a tenant whose leases it tries too */
  async act(other: RandomTenant): Promise<void> {
    const verb = this.context.random.weighted(this.weights);
    if (verb === 'enqueue') return this.enqueue();
    if (verb === 'claim')
      return this.claim(this.random.of(claimedQueues)!, this.random.between(1, 3), this.random.between(5, 30));
    if (isOfJob(verb)) return this.change(verb);
    const lease = this.random.of((verb === 'foreign' ? other : this).leases.slice(-mostRecent));
    if (!lease) return;
    const worker = this.random.happens(0.2) ? this.random.of(workers)! : lease.worker;
    await this.end(
      verb === 'foreign' ? this.random.of(['complete', 'fail', 'release', 'renew', 'step', 'wait'] as const)! : verb,
      {
        ...lease,
        worker,
      },
    );
  }

  /** Claims all that is claimable and completes most of it. @returns how many jobs it was granted */
  async drain(): Promise<number> {
    const before = this.leases.length;
    await Promise.all(claimedQueues.map((queue) => this.claim(queue, 20, 30)));
    const ends = this.leases
      .slice(before)
      .map((lease) => this.end(this.random.happens(0.9) ? 'complete' : 'fail', lease));
    await Promise.all(ends);
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
    const ending = await this.call(enqueueCall(job));
    if (ending.outcome === 'ok' && ending.answer === job.id) this.jobs.push({ id: job.id, queue });
  }

  private async claim(queue: string, limit: number, leaseSeconds: number): Promise<void> {
    const worker = this.random.of(workers)!;
    const ending = await this.call(claimCall(queue, worker, { limit, leaseSeconds }));
    const granted = ending.outcome === 'ok' ? (ending.answer ?? []) : [];
    this.leases.push(...granted.map(({ job, lease }) => ({ job, lease, worker })));
  }

  private async end(verb: OfHeldJob, lease: OfLease): Promise<void> {
    if (verb === 'step') await this.call(stepCall(lease, `result ${this.random.next()}`));
    if (verb === 'wait') await this.call(waitCall(lease, waitMs));
    if (verb === 'complete') await this.call(completeCall(lease));
    if (verb === 'fail') {
      const retry = this.random.happens(0.6);
      const { outcome } = await this.call(failCall(lease, retry));
      if (outcome === 'ok' && !retry) this.dead.push(lease.job);
    }
    if (verb === 'renew') await this.call(renewCall(lease));
    if (verb === 'release') await this.call(releaseCall(this.leases.find((own) => own.lease === lease.lease) ?? lease));
  }

  private async change(verb: OfJob): Promise<void> {
    // What was retried is not deleted, so that its usage stays countable.
    const recent = this.recentJob(({ queue }) => (queue === 'spare') === (verb === 'purge'))?.id;
    const job = (this.random.happens(0.7) && this.likely(verb)) || recent;
    if (!job || (verb === 'retry' && this.isSpare(job))) return;
    const force = this.random.happens(0.3);
    const calls = {
      cancel: cancelCall,
      requestCancel: (id: string) => requestCancelCall(id, force),
      signal: signalCall,
      retry: retryCall,
      purge: purgeCall,
    } satisfies Record<OfJob, unknown>;
    await this.call(calls[verb](job) as JobCall);
  }

  /** A job on which the verb has an effect. */
  private likely(verb: OfJob): string | undefined {
    if (verb === 'retry') return this.dead.pop();
    return verb === 'requestCancel' ? this.random.of(this.leases.slice(-mostRequested))?.job : undefined;
  }

  private isSpare(id: string): boolean {
    return this.jobs.some((job) => job.id === id && job.queue === 'spare');
  }

  /** Records the call, and delivers its command until it is answered: answers are lost, and engines fail. */
  private call<A extends Action>({ action, command, ending }: JobCall<A>): Promise<Ending<A>> {
    const sent = command(this.id);
    return this.context.history.record(this.id, action, async (): Promise<Ending<A>> => {
      const late: Command[] = [];
      const engine = this.enginesInTurn();
      const outcome = await this.deliverUntilAnswered(sent, engine, late);
      // Their engine was slow: a later delivery has been answered, so they may change nothing.
      for (const delivery of late) await engine(delivery).submit(delivery);
      return ending(outcome);
    });
  }

  /** @param late gets the deliveries that are not to run yet */
  private async deliverUntilAnswered(sent: Command, engine: EngineOf, late: Command[]): Promise<Outcome | undefined> {
    let recorded: Outcome | undefined;
    for (let number = 1; number <= maxDeliveries; number++) {
      const delivery = { ...sent, delivery: number, ...(number > 1 && { redelivered: true }) } as Command;
      if (number < maxDeliveries && this.random.happens(0.05)) {
        late.push(delivery);
        continue;
      }
      const outcome = (await engine(delivery).submit(delivery)) as Outcome;
      const isLost = this.random.happens(0.1);
      // A step needs its lease each time: another caller may have ended the attempt after the delivery whose answer was lost.
      if (!isLost && !outcome.ok && recorded) return recorded;
      if (!isLost && (outcome.ok || outcome.error.status < 500)) return outcome;
      if (outcome.ok && sent.kind === 'job.recordStep') recorded = outcome;
    }
    return undefined;
  }

  /** Successive calls and successive deliveries of one go to different engines. */
  private enginesInTurn(): EngineOf {
    const { engines } = this.context;
    const first = this.calls++;
    return ({ delivery }) => engines[(first + delivery!) % engines.length]!;
  }
}
