import { systemClock } from '@spooled/clock';
import { isFilled } from '@spooled/contracts';
import { type Clock, InFlight, originOf, type PushTarget, pushTargetOf, targetOfJob } from '@spooled/domain';
import type { PushQueueRow } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { AdmittedClaim, ClaimAdmission } from '@spooled/service';
import type { PushShortage, PushShortages, ReceiverOutages, ReportedReceiver } from '@spooled/transport';
import { CallCapacity } from '../callback/call-capacity.js';
import type { Reachability, ReceiverCircuitOptions } from './receiver-circuits.js';
import type { PushCalls } from './push-calls.js';
import { JobReceivers, type ReceiverChange } from './job-receivers.js';
import { PushQueue, type QueueSlots } from './push-queue.js';
import { ReadyQueues } from './ready-queues.js';
import type { PostponedJob, PushJob, PushWork } from './push-work.js';

export interface PushDispatcherOptions {
  /** Default: the system's. */
  clock?: Clock;
  /** Concurrent calls over all queues. */
  maxConcurrent: number;
  /** Bytes of payloads of calls in flight, over all queues; exceeded by what one claim returns at most. */
  maxBytes: number;
  /** Jobs claimed at once. */
  maxPerClaim: number;
  breaker: ReceiverCircuitOptions;
  /** Calls `onWork` when jobs of the queue become claimable, until the returned function is called. */
  subscribe(organizationId: string, queueName: string, onWork: () => void): () => void;
  /** Called when the circuit of a receiver opens or pauses again, and when it closes; absent = not reported. */
  outages?: Pick<ReceiverOutages, 'report' | 'end'> | null;
  /** Called at each update for queues with jobs that are not called; absent = not reported. */
  shortages?: { to: Pick<PushShortages, 'report'>; keptMs: number } | null;
}

/** A push queue, and what the plan of its organization allows. */
export interface CappedPushQueue extends Omit<PushQueueRow, 'planTier' | 'customLimits'> {
  /** Calls of all queues of the organization at once; null = no limit. */
  maxCalls: number | null;
}

/** A queue that has used up its rate is claimed from again after this at the latest: a higher rate applies from the next claim on. */
const longestRateWaitMs = 1_000;

type WaitReason = PushShortage['code'] | 'circuit_open';

/** What becomes of claimed jobs. */
interface Admission {
  started: number;
  /** During the claim, shutdown may have begun or the circuit may have opened. */
  returned: PushJob[];
  /** Their own receivers do not respond. */
  postponed: PostponedJob[];
}

/**
 * Claims jobs of push queues within the limits of the process, the tenant's share, the queue's concurrency and rate,
 * and the receiver's circuit; jobs with a receiver of their own are called within the circuit of that one. Tenants are served round robin, and so are the queues of a tenant (MQ-11).
 */
export class PushDispatcher {
  private readonly queues = new Map<string, PushQueue>();
  /** Of these queues, and of removed ones with calls in flight. */
  private readonly slots = new Map<string, QueueSlots>();
  /** Calls that the plans of organizations allow; absent = no limit. */
  private planCaps = new Map<string, number>();
  private readonly ready = new ReadyQueues();
  private readonly inFlight = new InFlight();
  private readonly capacity: CallCapacity;
  private readonly receivers: JobReceivers;
  private waitReasons: Record<WaitReason, number> = { circuit_open: 0, push_call_limit: 0, no_free_push_call: 0 };
  private readonly clock: Clock;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly work: Pick<PushWork, 'claim' | 'release' | 'postpone'>,
    private readonly calls: Pick<PushCalls, 'run'>,
    private readonly claims: Pick<ClaimAdmission, 'claim'>,
    private readonly logger: Pick<AppLogger, 'info' | 'warn' | 'error'>,
    private readonly options: PushDispatcherOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.capacity = new CallCapacity({
      maxCalls: options.maxConcurrent,
      maxBytes: options.maxBytes,
      clock: this.clock,
      waiting: () => this.waiting(),
      onDisplaced: (figures) =>
        logger.warn(
          figures,
          'push calls were displaced for organizations without any: PUSH_MAX_CONCURRENT_CALLS or replicas are too few',
        ),
    });
    this.receivers = new JobReceivers(options.breaker, this.clock);
  }

  /** Number of open circuits: of the receivers of queues, and of those that jobs name themselves. */
  get openCircuits(): number {
    let { open } = this.receivers;
    for (const { breaker } of this.queues.values()) if (breaker.isOpen) open++;
    return open;
  }

  /** Calls in flight, and claims for calls. */
  get runningCalls(): number {
    return this.capacity.inUse;
  }

  /** Push queues with jobs that were not called at the last update, by reason. */
  get waitingQueues(): Readonly<Record<WaitReason, number>> {
    return this.waitReasons;
  }

  /** Sets the current push queues; others get no further calls. */
  update(rows: CappedPushQueue[]): void {
    this.receivers.forgetIdle();
    this.planCaps = new Map(rows.flatMap((row) => (row.maxCalls === null ? [] : [[row.organizationId, row.maxCalls]])));
    const removed = new Set(this.queues.keys());
    for (const row of rows) {
      const target = pushTargetOf(row.settings);
      if (!target) continue;
      const queue = this.queueFor(row, target);
      removed.delete(keyOf(row));
      if (row.hasWork) this.markReady(queue);
    }
    for (const key of removed) {
      this.endOutage(this.queues.get(key)!);
      this.remove(key);
    }
    this.assignSlots();
    this.reportWaiting(rows.filter(({ hasWork }) => hasWork));
  }

  /** Claims no further jobs; calls that take longer than `graceMs` are aborted and their jobs released. */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    this.capacity.close();
    for (const key of [...this.queues.keys()]) this.remove(key);
    const end = this.clock.after(graceMs, () => this.capacity.abortAll());
    await this.inFlight.idle();
    end.cancel();
  }

  private queueFor(row: CappedPushQueue, target: PushTarget): PushQueue {
    const known = this.queues.get(keyOf(row));
    // A new receiver begins with a closed circuit.
    if (known && known.target.url !== target.url) this.endOutage(known);
    known?.setTarget(target);
    if (known) return known;
    const { organizationId, queueName } = row;
    const slots = this.slots.get(keyOf(row)) ?? { used: 0 };
    this.slots.set(keyOf(row), slots);
    const queue = new PushQueue(organizationId, queueName, target, slots, this.options.breaker, this.clock, () =>
      this.assignSlots(),
    );
    queue.unsubscribe = this.options.subscribe(organizationId, queueName, () => {
      this.markReady(queue);
      this.assignSlots();
    });
    this.queues.set(keyOf(row), queue);
    return queue;
  }

  private remove(key: string): void {
    const queue = this.queues.get(key)!;
    queue.close();
    this.queues.delete(key);
    this.ready.delete(queue);
    this.forgetSlots(key);
  }

  /** Once a queue is removed and its last call has ended. */
  private forgetSlots(key: string): void {
    if (!this.queues.has(key) && this.slots.get(key)?.used === 0) this.slots.delete(key);
  }

  private markReady(queue: PushQueue): void {
    // The queue may have been removed or recreated meanwhile.
    if (this.queues.get(keyOf(queue)) === queue) this.ready.add(queue);
  }

  /**
   * Assigns free slots to ready queues: one claim per tenant, then the next tenant. The loop ends because each claim removes a queue.
   */
  private assignSlots(): void {
    if (this.stopped) return;
    for (const organizationId of this.ready.organizations()) {
      if (this.capacity.isFull) break;
      const next = this.ready.next(
        organizationId,
        Math.min(this.availableTo(organizationId), this.options.maxPerClaim),
      );
      if (!next) continue;
      // Before the claim, so that a wake-up during the claim counts.
      this.ready.take(next.queue);
      this.track(this.claimAndStart(next.queue, next.slots));
    }
    this.capacity.displaceLater();
  }

  /** Calls that the organization may begin now, within its share and its plan. */
  private availableTo(organizationId: string): number {
    return Math.min(this.capacity.available(organizationId), this.leftInPlan(organizationId));
  }

  /** Calls that the plan of the organization leaves. */
  private leftInPlan(organizationId: string): number {
    return (this.planCaps.get(organizationId) ?? Infinity) - this.capacity.usedBy(organizationId);
  }

  /** Organizations with a job that only the limits of the process hold back. */
  private *waiting(): Iterable<string> {
    for (const organizationId of this.ready.organizations())
      if (this.ready.next(organizationId, Math.min(1, this.leftInPlan(organizationId)))) yield organizationId;
  }

  private reportWaiting(rows: CappedPushQueue[]): void {
    this.waitReasons = { circuit_open: 0, push_call_limit: 0, no_free_push_call: 0 };
    for (const row of rows) {
      const queue = this.queues.get(keyOf(row));
      if (!queue) continue;
      if (queue.breaker.isOpen) this.waitReasons.circuit_open++;
      const shortage = this.shortageOf(queue);
      if (!shortage) continue;
      this.waitReasons[shortage.code]++;
      const { shortages } = this.options;
      shortages?.to.report(queue.organizationId, queue.queueName, shortage, shortages.keptMs);
    }
  }

  /** Why a queue gets no call that could take one. */
  private shortageOf(queue: PushQueue): PushShortage | null {
    if (!this.ready.has(queue) || queue.available <= 0) return null;
    const { organizationId } = queue;
    const running = this.capacity.usedBy(organizationId);
    const cap = this.planCaps.get(organizationId);
    if (cap !== undefined && running >= cap) return { code: 'push_call_limit', running, limit: cap };
    if (this.capacity.available(organizationId) > 0) return null;
    const hasBytes = this.capacity.hasBytesFor(organizationId);
    const { inUse } = this.capacity;
    return { code: 'no_free_push_call', running, inUse, limit: this.options.maxConcurrent, hasBytes };
  }

  private track(work: Promise<void>): void {
    void this.inFlight.track(work.finally(() => this.assignSlots()));
  }

  /** Never rejects. */
  private async claimAndStart(queue: PushQueue, slots: number): Promise<void> {
    this.reserve(queue, slots);
    let started = 0;
    try {
      const { jobs, retryInMs } = await this.claim(queue, slots);
      const admission = this.startCalls(queue, jobs);
      const { returned, postponed } = admission;
      started = admission.started;
      if (retryInMs > 0) queue.pause(Math.min(retryInMs, longestRateWaitMs));
      if (retryInMs > 0 || isFilled(jobs, slots) || returned.length > 0) this.markReady(queue);
      await Promise.all([
        this.work.release(queue.organizationId, returned),
        this.work.postpone(queue.organizationId, postponed),
      ]);
      this.logTransition(undefined);
    } catch (err) {
      this.logTransition(err);
    } finally {
      this.reserve(queue, started - slots);
    }
  }

  private async claim(queue: PushQueue, slots: number): Promise<AdmittedClaim<PushJob>> {
    const { organizationId, queueName } = queue;
    queue.claiming++;
    try {
      return await this.claims.claim({ organizationId, queueName, workerId: null }, slots, (limit) =>
        this.work.claim(organizationId, queueName, limit),
      );
    } finally {
      queue.claiming--;
    }
  }

  private startCalls(queue: PushQueue, jobs: PushJob[]): Admission {
    const admission: Admission = { started: 0, returned: [], postponed: [] };
    for (const job of jobs) {
      const target = targetOfJob(queue.target, job.settings ?? null);
      const own = target !== queue.target && target.url !== null ? originOf(target.url) : null;
      const delayMs = own === null ? 0 : this.receivers.delayMs(queue.organizationId, own);
      if (this.stopped || (own === null && queue.breaker.allowance === 0)) admission.returned.push(job);
      else if (delayMs > 0) admission.postponed.push({ job, delayMs });
      else {
        admission.started++;
        this.track(
          own === null ? this.call(queue, job, target) : this.callJobReceiver(queue, { job, target, origin: own }),
        );
      }
    }
    return admission;
  }

  private async call(queue: PushQueue, job: PushJob, target: PushTarget): Promise<void> {
    const { breaker } = queue;
    if (target.url === null) return void (await this.runCall(queue, job, target));
    const ticket = breaker.begin();
    const reached = await this.runCall(queue, job, target);
    const wasOpen = breaker.isOpen;
    const pauseMs = breaker.record(ticket, reached);
    // The receiver changed during the call.
    if (queue.breaker !== breaker) return;
    if (pauseMs > 0) queue.pause(pauseMs);
    this.report(queue, queue.queueName, { pauseMs, hasRecovered: wasOpen && !breaker.isOpen });
  }

  /** Calls the receiver that a job names itself. */
  private async callJobReceiver(
    queue: PushQueue,
    { job, target, origin }: { job: PushJob; target: PushTarget; origin: string },
  ): Promise<void> {
    const { organizationId } = queue;
    const call = this.receivers.begin(organizationId, origin);
    const reached = await this.runCall(queue, job, target);
    this.report(queue, { origin }, this.receivers.record(call, reached));
  }

  private async runCall(queue: PushQueue, job: PushJob, target: PushTarget): Promise<Reachability> {
    const { organizationId } = queue;
    const call = this.capacity.begin(organizationId, job.payload);
    const reached = await this.calls.run({ organizationId, job }, target, call.signal);
    this.capacity.end(call);
    this.reserve(queue, -1);
    return reached;
  }

  private report(
    { organizationId, queueName: queue }: PushQueue,
    receiver: ReportedReceiver,
    { pauseMs, hasRecovered }: ReceiverChange,
  ): void {
    const fields = { organizationId, queue, ...(typeof receiver === 'string' ? {} : receiver) };
    if (pauseMs > 0) {
      this.options.outages?.report(organizationId, receiver, pauseMs);
      this.logger.warn({ ...fields, pauseMs }, 'receiver of pushed jobs is not responding; calls paused');
    } else if (hasRecovered) {
      this.options.outages?.end(organizationId, receiver);
      this.logger.info(fields, 'receiver of pushed jobs is responding again');
    }
  }

  private endOutage({ organizationId, queueName, breaker }: PushQueue): void {
    if (breaker.isOpen) this.options.outages?.end(organizationId, queueName);
  }

  private reserve(queue: PushQueue, slots: number): void {
    queue.slots.used += slots;
    this.capacity.reserve(queue.organizationId, slots);
    this.forgetSlots(keyOf(queue));
  }

  /** Logs when claims start failing and when they recover; the watch triggers further claims. */
  private logTransition(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'failed to claim jobs of push queues');
    if (err === undefined && this.failing) this.logger.info('claims of push queues recovered');
    this.failing = err !== undefined;
  }
}

const keyOf = ({ organizationId, queueName }: Pick<PushQueue, 'organizationId' | 'queueName'>): string =>
  `${organizationId} ${queueName}`;
