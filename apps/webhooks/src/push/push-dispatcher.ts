import { pushTargetOf, type PushTarget } from '@spooled/domain';
import type { ClaimedJob } from '@spooled/contracts';
import type { PushQueueRow } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { QueueRates, RatedClaim } from '@spooled/service';
import type { ReceiverCircuitOptions } from './receiver-circuits.js';
import type { PushCalls } from './push-calls.js';
import { PushQueue } from './push-queue.js';
import type { PushWork } from './push-work.js';
import { TenantShares } from './tenant-shares.js';

export interface PushDispatcherOptions {
  /** Calls under way at once, over all queues. */
  maxConcurrent: number;
  breaker: ReceiverCircuitOptions;
  /** Calls `onWork` when jobs of the queue became claimable, until the returned function is called. */
  listen(organizationId: string, queueName: string, onWork: () => void): () => void;
}

const maxPerClaim = 10;

/**
 * Claims the jobs of push queues as far as there are places for them: those of this process, the tenant's share of them, those of
 * the queue, and what the queue's rate and the circuit to its receiver allow. Tenants take turns, and so do the queues of one
 * tenant (MQ-11).
 */
export class PushDispatcher {
  private readonly queues = new Map<string, PushQueue>();
  /** Queues that may have work, by organization; who was served last comes last. */
  private readonly ready = new Map<string, Set<PushQueue>>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly shares: TenantShares;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly work: Pick<PushWork, 'claim' | 'release'>,
    private readonly calls: Pick<PushCalls, 'run' | 'interrupt'>,
    private readonly rates: Pick<QueueRates, 'claim'>,
    private readonly logger: Pick<AppLogger, 'info' | 'warn' | 'error'>,
    private readonly options: PushDispatcherOptions,
  ) {
    this.shares = new TenantShares(options.maxConcurrent);
  }

  /** Queues whose receiver is spared because it does not answer. */
  get openCircuits(): number {
    let open = 0;
    for (const { breaker } of this.queues.values()) if (breaker.isOpen) open++;
    return open;
  }

  /** The push queues as they are now; what is not among them gets no further calls. */
  update(rows: PushQueueRow[]): void {
    const gone = new Set(this.queues.keys());
    for (const row of rows) {
      const target = pushTargetOf(row.settings);
      if (!target) continue;
      const queue = this.known(row, target);
      gone.delete(keyOf(row));
      if (row.hasWork) this.markReady(queue);
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
    const known = this.queues.get(keyOf(row));
    known?.retarget(target);
    if (known) return known;
    const { organizationId, queueName } = row;
    const queue = new PushQueue(organizationId, queueName, target, this.options.breaker, () => this.fill());
    queue.stopListening = this.options.listen(organizationId, queueName, () => {
      this.markReady(queue);
      this.fill();
    });
    this.queues.set(keyOf(row), queue);
    return queue;
  }

  private forget(key: string): void {
    const queue = this.queues.get(key)!;
    queue.close();
    this.queues.delete(key);
    this.unmark(queue);
  }

  private markReady(queue: PushQueue): void {
    // A queue that was forgotten meanwhile, or made again since, is not this one.
    if (this.queues.get(keyOf(queue)) !== queue) return;
    const queues = this.ready.get(queue.organizationId);
    if (queues) queues.add(queue);
    else this.ready.set(queue.organizationId, new Set([queue]));
  }

  private unmark(queue: PushQueue): void {
    const queues = this.ready.get(queue.organizationId);
    if (queues?.delete(queue) && queues.size === 0) this.ready.delete(queue.organizationId);
  }

  /**
   * Gives free places to queues that may have work: one claim for a tenant, then the next tenant's turn. What is put back at the
   * end of the map is met again by the same loop, which ends because each claim takes a queue out.
   */
  private fill(): void {
    if (this.stopped) return;
    for (const [organizationId, queues] of this.ready) {
      if (this.shares.free === 0) return;
      const next = this.nextOf(queues, this.shares.available(organizationId));
      if (!next) continue;
      // Before the claim: what wakes the queue meanwhile must count.
      queues.delete(next.queue);
      this.ready.delete(organizationId);
      if (queues.size > 0) this.ready.set(organizationId, queues);
      this.track(this.serve(next.queue, next.places));
    }
  }

  /** The queue whose turn it is among those of one tenant, and how much it may claim. */
  private nextOf(queues: Set<PushQueue>, available: number): { queue: PushQueue; places: number } | null {
    if (available <= 0) return null;
    for (const queue of queues) {
      const places = Math.min(available, queue.available, maxPerClaim);
      if (places > 0) return { queue, places };
    }
    return null;
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
      const { jobs, retryInMs } = await this.claim(queue, places);
      used = this.begin(queue, jobs);
      if (retryInMs > 0) queue.pause(retryInMs);
      if (retryInMs > 0 || jobs.length === places || used < jobs.length) this.markReady(queue);
      await this.work.release(queue.organizationId, jobs.slice(used));
      this.note(undefined);
    } catch (err) {
      this.note(err);
    } finally {
      this.take(queue, used - places);
    }
  }

  private async claim(queue: PushQueue, places: number): Promise<RatedClaim<ClaimedJob>> {
    const { organizationId, queueName } = queue;
    queue.claiming++;
    try {
      return await this.rates.claim(organizationId, queueName, places, (limit) =>
        this.work.claim(organizationId, queueName, limit),
      );
    } finally {
      queue.claiming--;
    }
  }

  /** How many of the jobs were begun: the process may have begun to stop, or the circuit have opened, while they were claimed. */
  private begin(queue: PushQueue, jobs: ClaimedJob[]): number {
    const admitted = this.stopped ? 0 : Math.min(jobs.length, queue.breaker.allowance);
    for (const job of jobs.slice(0, admitted)) this.track(this.call(queue, job));
    return admitted;
  }

  private async call(queue: PushQueue, job: ClaimedJob): Promise<void> {
    const { organizationId, target, breaker } = queue;
    const ticket = breaker.begin();
    const reached = await this.calls.run({ organizationId, job }, target);
    this.take(queue, -1);
    const wasOpen = breaker.isOpen;
    const pauseMs = breaker.settle(ticket, reached);
    // The receiver was changed while the call ran.
    if (queue.breaker !== breaker) return;
    if (pauseMs > 0) queue.pause(pauseMs);
    const fields = { organizationId, queue: queue.queueName };
    if (pauseMs > 0)
      this.logger.warn({ ...fields, pauseMs }, 'the receiver of a push queue does not answer; calls pause');
    else if (wasOpen && !breaker.isOpen) this.logger.info(fields, 'the receiver of a push queue answers again');
  }

  private take(queue: PushQueue, places: number): void {
    queue.inUse += places;
    if (places > 0) this.shares.take(queue.organizationId, places);
    else if (places < 0) this.shares.giveBack(queue.organizationId, -places);
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
