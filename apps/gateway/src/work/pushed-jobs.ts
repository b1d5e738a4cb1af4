import { Injectable } from '@nestjs/common';
import { type ClaimedJob, isFilled, type LeaseRef } from '@spooled/contracts';
import { maxDocumentBytesPerStatement, SpooledError } from '@spooled/domain';
import { withSpan } from '@spooled/platform';
import type { ReservedBytes } from '@spooled/service';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireQueue } from '../auth/queue-scope.js';
import { Admission } from '../grpc/admission.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { Cancellations } from './cancellations.js';
import { ConnectionLeases } from './connection-leases.js';
import { type PrefetchWindow, UnackedJobs } from './unacked-jobs.js';
import { drainingMs, type QueueWait, WaitQueues } from './wait-queues.js';
import { leaseOf, WorkGrpcHandler } from './work-grpc.handler.js';
import type { WorkClaim } from './work.service.js';

export interface PushOptions {
  /** At least one; served in turn. */
  queueNames: string[];
  workerId: string;
  leaseSeconds: number;
  /** Maximum unsettled jobs of the stream. */
  prefetch: number;
  /** Maximum jobs of the first claim after a pause; each claim that is filled doubles it. */
  firstClaim: number;
  /** Maximum jobs of one claim. Their leases run while they wait to be sent. */
  maxPerClaim: number;
  /** Tells the worker that a job was asked to end; absent where the protocol has no message for it. */
  cancel?(lease: LeaseRef): void;
  /** Sends jobs of one queue. Resolves with how many the client's flow control has accepted, at the latest when aborted. */
  send(jobs: ClaimedJob[], unless: AbortSignal): Promise<number>;
}

/** Enough for a hundred jobs of some KB. Of larger ones a client that reads nothing gets few. */
const firstClaimBytes = 256 * 1024;

/**
 * Pushes jobs to one worker, of which at most `prefetch` are unacked. It claims only when the client has accepted what was claimed
 * before, and within its organization's share of what all clients have not accepted.
 */
@Injectable()
export class PushedJobs {
  constructor(
    private readonly work: WorkGrpcHandler,
    private readonly admission: Admission,
    private readonly leases: ConnectionLeases,
    private readonly waiters: WaitQueues,
    private readonly unacked: UnackedJobs,
    private readonly cancellations: Cancellations,
  ) {}

  /** Returns when the stream must end. @throws SpooledError 401, 403 scope, 503 */
  async serve(session: StreamSession, options: PushOptions): Promise<void> {
    const principal = await session.identify();
    // Each claim checks its queue as well, because the scope of a key may change.
    for (const name of options.queueNames) requireQueue(principal, name);
    const window = this.unacked.open(options.prefetch);
    const endCancellations = this.passCancellations(session, window, options);
    const left = new AbortController();
    const ending = AbortSignal.any([session.ending, left.signal]);
    const hasCapacity = () => window.free > 0;
    const queues = new PushedQueues(
      options.queueNames.map(
        (name) =>
          new PushedQueue(
            name,
            options.firstClaim,
            this.waiters.join(session.organizationId, name),
            hasCapacity,
            ending,
          ),
      ),
    );
    try {
      while (!ending.aborted) {
        await window.space(ending);
        const queue = await queues.next(ending);
        if (!queue) break;
        await this.serveQueue(session, queue, window, options);
      }
    } finally {
      left.abort();
      endCancellations();
      queues.leave();
      window.close();
    }
  }

  /** Best effort: a worker that is not told here learns it from its next renewal. */
  private passCancellations(
    { organizationId, ending }: StreamSession,
    window: PrefetchWindow,
    { cancel }: PushOptions,
  ): () => void {
    if (!cancel) return () => undefined;
    return this.cancellations.onRequest(organizationId, (lease) => {
      if (window.holds(lease) && !ending.aborted) cancel(lease);
    });
  }

  private async serveQueue(
    session: StreamSession,
    queue: PushedQueue,
    window: PrefetchWindow,
    options: PushOptions,
  ): Promise<void> {
    // The last job may exceed the bytes of its claim.
    const bytes = queue.wantedBytes + session.maxPayloadBytes;
    // The stream cannot take the jobs that it was woken for: another one may.
    if (!session.unsent.hasCapacity(bytes)) queue.claimed(1);
    const reserved = await session.unsent.reserve(bytes, session.ending);
    if (reserved) await this.claimAndPush(session, queue, window, { ...options, reserved });
  }

  private async claimAndPush(
    session: StreamSession,
    queue: PushedQueue,
    window: PrefetchWindow,
    { reserved, ...options }: PushOptions & { reserved: ReservedBytes },
  ): Promise<void> {
    const limit = Math.min(queue.wanted, window.free);
    const maxBytes = queue.wantedBytes;
    const claim = this.claim(session, queue.name, { limit, maxBytes }, options);
    const { jobs, retryInMs, isDraining } = await claim.catch((error: unknown) => {
      reserved.release();
      throw error;
    });
    reserved.hold(jobs.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0));
    if (isDraining) return queue.restWhileDraining();
    queue.claimed(jobs.length);
    const isMore = isFilled(jobs, limit, maxBytes);
    if (isMore && jobs.length < limit) queue.leftJobs();
    if (jobs.length > 0) {
      await Promise.all([this.push(session, jobs, window, { ...options, reserved }), this.count(session)]);
    }
    if (isMore) queue.wantMore(options.maxPerClaim);
    else queue.rest(retryInMs || undefined);
  }

  /** In a trace of its own: the stream's lasts as long as the stream. */
  private claim(
    session: StreamSession,
    queueName: string,
    { limit, maxBytes }: { limit: number; maxBytes: number },
    { workerId, leaseSeconds }: PushOptions,
  ): Promise<WorkClaim> {
    const claim = { queue_name: queueName, worker_id: workerId, lease_duration_secs: leaseSeconds, limit };
    return withSpan('stream claim', { kind: 'server', parent: null }, async () =>
      this.work.claim(await session.identify(), claim, maxBytes),
    );
  }

  /** Binds leases to the connection before sending; releases those of unsent jobs when the client has cancelled the stream. */
  private async push(
    { organizationId, connection, ending, disconnected }: StreamSession,
    jobs: ClaimedJob[],
    window: PrefetchWindow,
    { send, reserved }: PushOptions & { reserved: ReservedBytes },
  ): Promise<void> {
    const leases = jobs.map((job) => leaseOf(organizationId, job));
    if (ending.aborted) {
      reserved.release();
      return this.leases.release(leases);
    }
    for (const lease of leases) {
      this.leases.hold(connection, lease);
      window.add(lease);
    }
    const accepted = await send(jobs, ending);
    // What was written and not accepted counts until the call is closed.
    if (accepted === jobs.length) reserved.release();
    if (!disconnected.aborted) return;
    const unsent = leases.slice(accepted);
    for (const { jobId } of unsent) this.leases.forget(connection, jobId);
    this.leases.release(unsent);
  }

  /** A claim that returned jobs counts as a call. Over the limit the stream pauses until the limit allows more. */
  private async count({ identify, ending }: StreamSession): Promise<void> {
    try {
      await this.admission.countOf(await identify());
    } catch (error) {
      if (!(error instanceof SpooledError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
      await sleep((error.retryAfterSeconds ?? 1) * 1000, null, { signal: ending }).catch(() => undefined);
    }
  }
}

/** A queue of a stream: how much to claim next, and whether it may have jobs. */
class PushedQueue {
  /** Jobs of the next claim at most. */
  wanted: number;
  /** Bytes of payloads after which the next claim ends. */
  wantedBytes = firstClaimBytes;
  private resting = false;
  onReady: () => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly firstClaim: number,
    private readonly waiter: QueueWait,
    private readonly hasCapacity: () => boolean,
    private readonly ending: AbortSignal,
  ) {
    this.wanted = firstClaim;
  }

  get isReady(): boolean {
    return !this.resting;
  }

  claimed(jobs: number): void {
    this.waiter.claimed(jobs > 0);
  }

  leftJobs(): void {
    this.waiter.leftJobs();
  }

  /** The client has accepted the jobs of a claim that was filled. */
  wantMore(maxPerClaim: number): void {
    this.wanted = Math.min(this.wanted * 2, maxPerClaim);
    this.wantedBytes = Math.min(this.wantedBytes * 2, maxDocumentBytesPerStatement);
  }

  /** The queue is empty: it is claimed from again when there may be jobs, or after `atMostMs`. */
  rest(atMostMs?: number): void {
    this.startSmall();
    void this.waiter.wait(this.ending, atMostMs).then(() => {
      this.resting = false;
      // The stream cannot take the jobs that it was woken for: another one may.
      if (!this.hasCapacity()) this.claimed(1);
      this.onReady();
    });
  }

  /** The worker drains: its wake-ups are for others, and it asks from time to time whether it still drains. */
  restWhileDraining(): void {
    this.waiter.passOn();
    this.startSmall();
    const again = () => {
      this.resting = false;
      this.onReady();
    };
    sleep(drainingMs, undefined, { signal: this.ending }).then(again, again);
  }

  leave(): void {
    this.waiter.leave();
  }

  private startSmall(): void {
    this.wanted = this.firstClaim;
    this.wantedBytes = firstClaimBytes;
    this.resting = true;
  }
}

/** The queues of a stream in turn. */
class PushedQueues {
  constructor(private readonly queues: PushedQueue[]) {}

  /** The next queue that may have jobs, when there is one; null when aborted. */
  async next(ending: AbortSignal): Promise<PushedQueue | null> {
    while (!ending.aborted) {
      const at = this.queues.findIndex(({ isReady }) => isReady);
      if (at >= 0) {
        const [queue] = this.queues.splice(at, 1) as [PushedQueue];
        this.queues.push(queue);
        return queue;
      }
      await this.change(ending);
    }
    return null;
  }

  leave(): void {
    for (const queue of this.queues) queue.leave();
  }

  private change(ending: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        ending.removeEventListener('abort', end);
        resolve();
      };
      for (const queue of this.queues) queue.onReady = end;
      ending.addEventListener('abort', end);
    });
  }
}
