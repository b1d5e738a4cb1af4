import { pushTargetOf, type PushTarget } from '@spooled/domain';
import type { ClaimedJob } from '@spooled/contracts';
import type { PushQueueRow } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { QueueRates } from '@spooled/stores';
import type { PushCalls } from './push-calls.js';
import type { PushWork } from './push-work.js';
import { shuffled } from './shuffled.js';

interface PushQueue {
  organizationId: string;
  queueName: string;
  target: PushTarget;
  /** Places in use: calls under way and claims being made. */
  busy: number;
  /** Until the queue's rate allows more. */
  rest: NodeJS.Timeout | null;
  stopListening: () => void;
}

export interface PushDispatcherOptions {
  /** Calls under way at once, over all queues. */
  maxConcurrent: number;
  /** Calls `onWork` when jobs of the queue became claimable, until the returned function is called. */
  listen(organizationId: string, queueName: string, onWork: () => void): () => void;
}

const maxPerClaim = 10;

/**
 * Claims the jobs of push queues as far as there are places for them: those of this process, those of the queue, and what the
 * queue's rate allows. Queues take turns at random, so that none starves behind others (MQ-11).
 */
export class PushDispatcher {
  private readonly queues = new Map<string, PushQueue>();
  /** Queues that may have work. */
  private readonly hungry = new Set<PushQueue>();
  private readonly underWay = new Set<Promise<void>>();
  private free: number;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly work: PushWork,
    private readonly calls: PushCalls,
    private readonly rates: Pick<QueueRates, 'claim'>,
    private readonly logger: AppLogger,
    private readonly options: PushDispatcherOptions,
  ) {
    this.free = options.maxConcurrent;
  }

  /** The push queues as they are now; what is not among them gets no further calls. */
  update(rows: PushQueueRow[]): void {
    const gone = new Set(this.queues.keys());
    for (const row of rows) {
      const target = pushTargetOf(row.settings);
      if (!target) continue;
      const queue = this.known(row, target);
      gone.delete(keyOf(row));
      if (row.hasWork) this.hungry.add(queue);
    }
    for (const key of gone) this.forget(key);
    this.fill();
  }

  /** Takes no further jobs; calls that need longer than `graceMs` are cut off and their jobs given back. */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    for (const key of [...this.queues.keys()]) this.forget(key);
    const end = setTimeout(() => this.calls.interrupt(), graceMs);
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    clearTimeout(end);
  }

  private known(row: PushQueueRow, target: PushTarget): PushQueue {
    const { organizationId, queueName } = row;
    const known = this.queues.get(keyOf(row));
    if (known) return Object.assign(known, { target });
    const queue: PushQueue = { organizationId, queueName, target, busy: 0, rest: null, stopListening: () => undefined };
    queue.stopListening = this.options.listen(organizationId, queueName, () => this.feed(queue));
    this.queues.set(keyOf(row), queue);
    return queue;
  }

  private forget(key: string): void {
    const queue = this.queues.get(key)!;
    queue.stopListening();
    if (queue.rest) clearTimeout(queue.rest);
    this.queues.delete(key);
    this.hungry.delete(queue);
  }

  private feed(queue: PushQueue): void {
    this.keepHungry(queue);
    this.fill();
  }

  private keepHungry(queue: PushQueue): void {
    if (this.queues.has(keyOf(queue))) this.hungry.add(queue);
  }

  /** Gives every free place to a queue that may have work. A queue without a place, or at its rate, stays hungry. */
  private fill(): void {
    if (this.stopped) return;
    for (const queue of shuffled(this.hungry)) {
      const places = Math.min(this.free, queue.target.concurrency - queue.busy, maxPerClaim);
      if (places <= 0 || queue.rest) continue;
      // Before the claim: what wakes the queue meanwhile must count.
      this.hungry.delete(queue);
      this.track(this.serve(queue, places));
    }
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      this.underWay.delete(tracked);
      this.fill();
    });
    this.underWay.add(tracked);
  }

  /** Never rejects. */
  private async serve(queue: PushQueue, places: number): Promise<void> {
    this.take(queue, places);
    let used = 0;
    try {
      const { organizationId, queueName } = queue;
      const { jobs, retryInMs } = await this.rates.claim(organizationId, queueName, places, (limit) =>
        this.work.claim(organizationId, queueName, limit),
      );
      used = await this.begin(queue, jobs);
      if (retryInMs > 0) this.feedLater(queue, retryInMs);
      if (retryInMs > 0 || jobs.length === places) this.keepHungry(queue);
      this.note(undefined);
    } catch (err) {
      this.note(err);
    } finally {
      this.take(queue, used - places);
    }
  }

  /** How many of the jobs were begun: none when the process began to stop while they were claimed. */
  private async begin(queue: PushQueue, jobs: ClaimedJob[]): Promise<number> {
    if (this.stopped) {
      await this.work.release(queue.organizationId, jobs);
      return 0;
    }
    for (const job of jobs) this.track(this.call(queue, job));
    return jobs.length;
  }

  private async call(queue: PushQueue, job: ClaimedJob): Promise<void> {
    await this.calls.run({ organizationId: queue.organizationId, job }, queue.target);
    this.take(queue, -1);
  }

  private take(queue: PushQueue, places: number): void {
    queue.busy += places;
    this.free -= places;
  }

  private feedLater(queue: PushQueue, delayMs: number): void {
    if (queue.rest || this.stopped) return;
    queue.rest = setTimeout(() => {
      queue.rest = null;
      this.fill();
    }, delayMs);
  }

  /** One line when claims begin to fail and one when they work again; who looks for work comes back to the queue. */
  private note(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'jobs of push queues could not be claimed');
    if (err === undefined && this.failing) this.logger.info('jobs of push queues are claimed again');
    this.failing = err !== undefined;
  }
}

const keyOf = ({ organizationId, queueName }: Pick<PushQueue, 'organizationId' | 'queueName'>): string =>
  `${organizationId} ${queueName}`;
