import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@spooled/clock';
import {
  type ActorText,
  type ClaimedJob,
  type CommandBody,
  type CommandKind,
  type CommandResult,
  formatActor,
  type LeaseProof,
} from '@spooled/contracts';
import { type Database, readClock } from '@spooled/data-access';
import { SpooledError as DomainError, storableText, workerQuota } from '@spooled/domain';
import { type CommittedCompletion, completeIn } from '@spooled/queue';
import { type LeasedJob, ServerError, type SpooledError as SdkError, type WorkSource } from '@spooled/sdk';
import {
  type Failure,
  type HeldLease,
  isAlreadyCompleted,
  parseJson,
  type Registration,
  type Renewal,
  type ServerTimings,
  type Wait,
  type WorkerClock,
} from '@spooled/sdk/internal';
import {
  ClaimAdmission,
  CompletionBatches,
  documentText,
  newCommand,
  type PayloadContracts,
  type ProgressReports,
  type QueueRates,
  type RatedClaim,
} from '@spooled/service';
import { inApplicationTransaction } from './application-transaction.js';
import { documentOf } from './documents.js';
import type { EmbeddedEngine } from './engine.js';
import { EmbeddedLogs } from './embedded-logs.js';
import { EmbeddedSteps } from './embedded-steps.js';
import { toSdkError, withSdkErrors } from './errors.js';
import { OwnDrain } from './own-drain.js';
import { PrefetchedJobs } from './prefetched-jobs.js';
import type { ResolvedSettings } from './settings.js';
import type { Tenant } from './tenant.js';
import { pause, type Wakeups } from './wakeups.js';

/** What the workers of a process share. */
export interface SourceContext {
  db: Database;
  engine: EmbeddedEngine;
  tenant: Tenant;
  settings: ResolvedSettings;
  wakeups: Wakeups;
  rates: QueueRates;
  contracts: PayloadContracts;
  progress: ProgressReports;
  /** Passes requests to cancel running jobs to the workers of this process. Those of other processes come with renewals. */
  cancellations: EventEmitter<{ request: [HeldLease] }>;
}

export interface EmbeddedSourceOptions {
  /** Milliseconds between two claims of an empty queue, for jobs that other processes enqueue. */
  pollIntervalMs: number;
  /** Jobs of each queue to claim ahead of those that run. */
  prefetch: number;
  /** Of the worker; renews the leases of jobs claimed ahead. */
  clock?: Pick<WorkerClock, 'every'>;
}

const shortestRetryMs = 50;
const longestRetryMs = 1_000;
const maxReported = 1_000;
/** As many as one transaction of group commit holds. */
const mostClaimed = 1_000;
/** Smaller claims would cost more than they save. */
const fewestClaimed = 50;

/** Jobs that a worker of this process claims and reports without a server between it and the database. */
export class EmbeddedSource implements WorkSource {
  workerId = '';
  /** Only bounds how long one call of `claim` takes. */
  readonly maxWaitSeconds = 30;
  maxClaim = mostClaimed;
  onCancelRequest: ((lease: HeldLease) => void) | undefined;
  private actor: ActorText = '';
  private leaseSeconds = 30;
  private stopping: AbortSignal | undefined;
  private readonly completions = new CompletionBatches((kind, body) => this.run(kind, body), null);
  /** What transactions of handlers have completed, by lease, until it is known whether they have committed. */
  private readonly uncommitted = new Map<string, CommittedCompletion>();
  private readonly prefetched = new Map<string, PrefetchedJobs>();

  private readonly claims: ClaimAdmission;
  readonly logs = new EmbeddedLogs(this);
  readonly steps: EmbeddedSteps;

  constructor(
    private readonly context: SourceContext,
    private readonly options: EmbeddedSourceOptions,
  ) {
    this.claims = new ClaimAdmission(context.rates, new OwnDrain(context.db));
    this.steps = new EmbeddedSteps(context, this);
  }

  /** @throws ConflictError, QuotaExceededError */
  open({ queueName, hostname, workerId, maxConcurrency, version }: Registration): Promise<ServerTimings> {
    return withSdkErrors(async () => {
      this.workerId = workerId;
      // Half of the jobs are claimed while the others run and end: with all of them, claims and completions would wait for each other.
      this.maxClaim = Math.min(mostClaimed, Math.max(fewestClaimed, Math.ceil(maxConcurrency / 2)));
      this.actor = formatActor('worker', workerId);
      this.context.cancellations.on('request', this.passOnCancelRequest);
      await this.run('worker.register', {
        ...{ workerId, queueName, hostname, maxConcurrency, version: version ?? null },
        workerType: 'embedded',
        metadata: null,
        queues: null,
        ...workerQuota(this.context.tenant.limits),
      });
      return {
        leaseSeconds: this.leaseSeconds,
        heartbeatSeconds: this.context.settings.WORKER_HEARTBEAT_INTERVAL_SECS,
      };
    });
  }

  /** While PostgreSQL is away, a waiting claim tries again instead of failing. @throws ServerError when that has lasted for the wait */
  async claim(queueName: string, limit: number, leaseSeconds: number, wait?: Wait): Promise<LeasedJob[]> {
    this.leaseSeconds = leaseSeconds;
    const end = performance.now() + (wait?.seconds ?? 0) * 1000;
    for (let failures = 0; ;) {
      const { woken, end: endWait } = this.context.wakeups.wait(queueName);
      try {
        const { jobs, retryInMs } = await this.takeOrClaim(queueName, limit, wait?.signal);
        failures = 0;
        if (jobs.length > 0 || !wait || performance.now() >= end) return jobs;
        // A queue at its rate limit is not claimed from sooner because jobs arrive, but because its rate may have changed.
        await pause(retryInMs > 0 ? [] : [woken], Math.min(retryInMs || Infinity, this.pollMs), wait.signal);
      } catch (error) {
        if (!isUnavailable(error) || !wait || performance.now() >= end) throw error;
        await pause([], Math.min(shortestRetryMs * 2 ** failures++, longestRetryMs), wait.signal);
      } finally {
        endWait();
      }
    }
  }

  renew(job: LeasedJob, leaseSeconds: number): Promise<Renewal> {
    return withSdkErrors(async () => {
      const renewal = this.renewal(job, leaseSeconds);
      const { cancelRequested = false } = await this.run('job.renew', renewal);
      return { cancelRequested };
    });
  }

  async complete({ id: jobId, leaseId }: LeasedJob, result: unknown): Promise<void> {
    const text = result === undefined ? null : await withSdkErrors(() => this.resultText(result));
    const completion = { jobId, leaseId, workerId: this.workerId, result: text };
    await withSdkErrors(() => this.completions.complete(completion)).catch(unlessReported);
  }

  /** @throws ConflictError or NotFoundError when the lease is lost; errors of PostgreSQL as they are */
  async completeIn(job: LeasedJob, tx: unknown, result: unknown): Promise<void> {
    const text = result === undefined ? null : await withSdkErrors(() => this.resultText(result));
    const caller = { organizationId: this.context.tenant.id, actor: this.actor };
    // The application's transaction has no time limit of ours.
    const command = newCommand('job.complete', caller, { ...this.proof(job), result: text }, { ttlMs: 0 });
    try {
      const completion = await inApplicationTransaction(tx, this.context, (open) => completeIn(open, command), {
        needsReadCommitted: true,
      });
      this.uncommitted.set(job.leaseId, completion);
    } catch (error) {
      throw error instanceof DomainError ? toSdkError(error) : error;
    }
  }

  /** Asks with the lease, so that a completion by another holder does not count. @throws as `renew`; ServerError as `complete` */
  async isCommitted(job: LeasedJob): Promise<boolean> {
    const completion = this.uncommitted.get(job.leaseId);
    this.uncommitted.delete(job.leaseId);
    const isHeld = await this.retryUntilAcknowledged(async () => {
      await this.run('job.renew', this.renewal(job, this.leaseSeconds));
      return true;
    }).catch((error: unknown) => {
      if (isAlreadyCompleted(error)) return false;
      throw error;
    });
    if (isHeld) return false;
    if (completion) this.context.engine.publish(completion);
    return true;
  }

  async fail(job: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    const failure = { ...this.proof(job), error: storableText(error), retry };
    const result = await withSdkErrors(() => this.run('job.fail', failure));
    return { willRetry: result.willRetry, cancelled: result.cancelled ?? false };
  }

  progress(job: LeasedJob, percent: number, message?: string): Promise<void> {
    const report = { ...this.proof(job), progress: percent, message: message ? storableText(message) : null };
    return withSdkErrors(() =>
      this.context.progress.report(job.leaseId, async () => {
        await this.run('job.progress', report);
      }),
    );
  }

  async heartbeat(currentJobs: number, isDraining: boolean): Promise<void> {
    await withSdkErrors(() =>
      this.run('worker.heartbeat', {
        workerId: this.workerId,
        currentJobs: Math.min(currentJobs, maxReported),
        status: isDraining ? 'draining' : 'healthy',
        metadata: null,
        queues: null,
        ...workerQuota(this.context.tenant.limits),
      }),
    );
  }

  release(job: LeasedJob): Promise<void> {
    return this.releaseAll([job]);
  }

  async close(): Promise<void> {
    this.context.cancellations.off('request', this.passOnCancelRequest);
    await this.releasePrefetched();
    const { db, tenant } = this.context;
    await withSdkErrors(async () => {
      const issuedAt = await db.withTenant(tenant.id, readClock);
      await this.run('worker.deregister', { workerId: this.workerId, queues: null, issuedAt });
    });
  }

  private async takeOrClaim(queueName: string, limit: number, stopping?: AbortSignal): Promise<RatedClaim<LeasedJob>> {
    if (this.options.prefetch === 0) return this.claimNow(queueName, limit);
    if (stopping) this.releaseAtStop(stopping);
    return { jobs: await this.prefetchedOf(queueName).next(limit), retryInMs: 0 };
  }

  private claimNow(queueName: string, limit: number): Promise<RatedClaim<LeasedJob>> {
    const { tenant } = this.context;
    const body = { queueName, workerId: this.workerId, leaseSeconds: this.leaseSeconds };
    const claim = async (most: number) => {
      tenant.requireActive();
      const { jobs } = await this.run('job.claim', { ...body, limit: Math.min(most, mostClaimed) });
      return jobs.map(toLeasedJob);
    };
    return withSdkErrors(() =>
      this.claims.claim({ organizationId: tenant.id, queueName, workerId: this.workerId }, limit, claim),
    );
  }

  private prefetchedOf(queueName: string): PrefetchedJobs {
    let found = this.prefetched.get(queueName);
    if (!found) {
      found = new PrefetchedJobs({
        size: this.options.prefetch,
        leaseMs: this.leaseSeconds * 1000,
        clock: this.options.clock ?? systemClock,
        claim: async (limit) => (await this.claimNow(queueName, limit)).jobs,
        renew: (job) => this.renew(job, this.leaseSeconds),
        release: (jobs) => this.releaseAll(jobs).catch(() => undefined),
      });
      this.prefetched.set(queueName, found);
    }
    return found;
  }

  /** Held jobs are released as soon as the worker stops, not only when its handlers have ended. */
  private releaseAtStop(stopping: AbortSignal): void {
    if (this.stopping) return;
    this.stopping = stopping;
    stopping.addEventListener('abort', () => void this.releasePrefetched(), { once: true });
  }

  private async releasePrefetched(): Promise<void> {
    await Promise.all([...this.prefetched.values()].map((jobs) => jobs.stop()));
  }

  private async releaseAll(jobs: LeasedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const leases = jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
    await withSdkErrors(() => this.run('job.release', { leases, delivered: true }));
  }

  /**
   * Repeats a command until PostgreSQL answers, for as long as a lease lasts.
   * Undefined when an earlier report has succeeded whose answer was lost.
   */
  retryUntilAcknowledged<T>(report: () => Promise<T>): Promise<T | undefined> {
    return report().catch((error: unknown) => this.repeatUntilAnswered(toSdkError(error), report));
  }

  /** @param failure of the first report */
  private async repeatUntilAnswered<T>(failure: SdkError, report: () => Promise<T>): Promise<T | undefined> {
    const end = performance.now() + this.leaseSeconds * 1000;
    let waitMs = shortestRetryMs;
    for (let error = failure; ; waitMs = Math.min(2 * waitMs, longestRetryMs)) {
      if (!isUnavailable(error) || performance.now() > end) throw error;
      await sleep(waitMs);
      try {
        return await report();
      } catch (thrown) {
        error = toSdkError(thrown);
        if (isAlreadyCompleted(error)) return undefined;
      }
    }
  }

  /** @throws SpooledError 400, 413 */
  private resultText(result: unknown): string | null {
    const document = documentOf(result, 'result');
    if (!document) return null;
    const { settings, tenant } = this.context;
    const limits = { maxBytes: settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES, limits: tenant.limits, byPlan: false };
    return documentText('result', document, limits);
  }

  private readonly passOnCancelRequest = (lease: HeldLease): void => {
    this.onCancelRequest?.(lease);
    for (const jobs of this.prefetched.values()) void jobs.drop(lease);
  };

  /** Runs a command of this worker. */
  run<K extends CommandKind>(kind: K, body: CommandBody<K>): Promise<CommandResult<K>> {
    return this.context.engine.run(kind, this.actor, body);
  }

  readonly proof = ({ id: jobId, leaseId }: LeasedJob): LeaseProof => ({
    ...{ jobId, leaseId, workerId: this.workerId },
    queues: null,
  });

  private renewal = (job: LeasedJob, leaseSeconds: number) => ({ ...this.proof(job), leaseSeconds });

  /** Jitter, so that processes do not poll at the same moments. */
  private get pollMs(): number {
    return this.options.pollIntervalMs * (0.75 + 0.5 * Math.random());
  }
}

/** An earlier report has succeeded whose answer was lost. */
function unlessReported(error: unknown): void {
  if (!isAlreadyCompleted(error)) throw error;
}

const isUnavailable = (error: unknown): boolean => error instanceof ServerError && error.status === 503;

/** With the digits of integers that a double cannot hold, as the SDK reads them. */
const toLeasedJob = (job: ClaimedJob): LeasedJob => ({
  id: job.id,
  queueName: job.queueName,
  payload: parseJson(job.payload, 'bigint'),
  priority: job.priority,
  retryCount: job.retryCount,
  maxRetries: job.maxRetries,
  timeoutSeconds: job.timeoutSeconds,
  leaseId: job.leaseId,
  createdAt: job.createdAt,
  idempotencyKey: job.idempotencyKey,
  traceparent: job.traceparent,
});
