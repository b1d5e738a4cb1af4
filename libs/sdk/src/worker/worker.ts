import { EventEmitter, once } from 'node:events';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Spooled } from '../spooled.js';
import { GrpcSource } from './grpc-source.js';
import { requireAmount, requireKnown, requireWhole } from '../app/known-options.js';
import { handlerOf, type QueueHandlers, requireHandlers } from './handlers.js';
import { systemClock, within, type WorkerClock } from './clock.js';
import { JobRun, type RunContext, type RunOutcome } from './job-run.js';
import { RestSource } from './rest-source.js';
import { ClaimLoop } from './claim-loop.js';
import { emitError } from './emit-error.js';
import { runPushLoop } from './push-loop.js';
import type { LeasedJob, ServerTimings, WorkSource } from './work-source.js';

export interface WorkerOptions {
  /** Handlers by queue. */
  queues: Record<string, QueueHandlers>;
  /** Maximum concurrent jobs over all queues. @default 5 */
  concurrency?: number;
  /** Lease duration in seconds; leases are renewed at half of it. @default what the server says at registration */
  leaseSeconds?: number;
  /** @default 'rest' */
  transport?: 'rest' | 'grpc';
  /** Milliseconds between polls of empty queues, if the server neither pushes jobs nor supports waiting claims. @default 500 */
  pollIntervalMs?: number;
  /** Seconds between heartbeats. @default what the server says at registration */
  heartbeatSeconds?: number;
  /** A stable id, so that the worker keeps its registration after a restart. */
  workerId?: string;
  version?: string;
  /** @internal For tests that move time. */
  clock?: WorkerClock;
}

export interface WorkerEvents {
  claimed: [LeasedJob];
  completed: [LeasedJob, unknown];
  /** The attempt failed; the last argument tells whether the job will be retried. */
  failed: [LeasedJob, unknown, boolean];
  /** The job was cancelled while it ran, and its handler has ended without a result. */
  cancelled: [LeasedJob];
  /** The job waits in a step: it has left the worker, and its handler runs again when the wait is over. */
  waiting: [LeasedJob];
  /** The lease was lost before the job ended; another worker may run the job. */
  leaseLost: [LeasedJob];
  /** An error outside of handlers; the worker continues. Without a listener it is logged, at most once a minute per cause. */
  error: [unknown];
  stopped: [];
}

const optionNames: Record<keyof WorkerOptions, true> = {
  ...{ queues: true, concurrency: true, leaseSeconds: true, transport: true, pollIntervalMs: true },
  ...{ heartbeatSeconds: true, workerId: true, version: true, clock: true },
};

/** @throws TypeError naming the option that is wrong */
function requireOptions(options: WorkerOptions): void {
  requireKnown(options, optionNames);
  const { queues, concurrency, leaseSeconds, pollIntervalMs, heartbeatSeconds } = options;
  const handlers = Object.entries(queues);
  if (handlers.length === 0) throw new TypeError('A worker needs at least one queue');
  for (const [queue, given] of handlers) requireHandlers(given, `queues.${queue}`);
  const numbers = { concurrency, leaseSeconds, pollIntervalMs, heartbeatSeconds };
  for (const [name, value] of Object.entries(numbers)) if (value !== undefined) requireWhole(value, name, 1);
}

function sourceOf(from: Spooled | WorkSource, { transport }: WorkerOptions): WorkSource {
  if ('claim' in from) return from;
  return transport === 'grpc' ? new GrpcSource(from) : new RestSource(from);
}

/** Runs that end within this time need no timers; a job's shortest timeout is a second. */
const shortRunMs = 100;

/** How long a stop waits for the answers to its releases, and to its end: the network may swallow them. */
const longestEndMs = 10_000;

/** Claims jobs up to its concurrency, runs handlers and reports outcomes. Delivery is at least once: a job may run again. */
export class Worker extends EventEmitter<WorkerEvents> {
  private readonly source: WorkSource;
  private readonly clock: WorkerClock;
  /** By their leases: a job that waited or lost its lease may come again before its earlier run has ended. */
  private readonly runs = new Map<string, JobRun>();
  /** Number of runs and releases that have not ended. */
  private unended = 0;
  /** Emits when one of them ends. */
  private readonly settled = new EventEmitter<{ one: [] }>();
  private readonly stopping = new AbortController();
  private opening: Promise<ServerTimings> | undefined;
  private claiming: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private heartbeatTimer: ReturnType<WorkerClock['every']> | undefined;
  private runTimersTimer: ReturnType<WorkerClock['after']> | undefined;
  private stopped: Promise<void> | undefined;

  /**
   * @param from the client of a server, or another source of jobs
   * @throws TypeError naming a wrong option, without a queue, or over gRPC without an API key
   */
  constructor(
    from: Spooled | WorkSource,
    private readonly options: WorkerOptions,
  ) {
    super();
    requireOptions(options);
    this.source = sourceOf(from, options);
    this.source.onCancelRequest = (lease) => this.runs.get(lease.leaseId)?.cancel();
    this.clock = options.clock ?? systemClock;
  }

  /** The worker's id; empty before `start`. */
  get id(): string {
    return this.source.workerId;
  }

  /** Number of running jobs. */
  get running(): number {
    return this.runs.size;
  }

  /** Registers the worker and starts claiming. Call once. @throws SpooledError when it cannot register */
  async start(): Promise<void> {
    if (this.opening || this.stopped) throw new Error('Worker already started');
    this.opening = this.open();
    const server = await this.opening.catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    if (this.stopping.signal.aborted) return this.close();
    const { heartbeatSeconds = server.heartbeatSeconds, leaseSeconds = server.leaseSeconds } = this.options;
    this.heartbeatTimer = this.clock.every(heartbeatSeconds * 1000, () => void this.sendHeartbeat());
    this.claiming = this.runClaimLoop(leaseSeconds);
  }

  private open(): Promise<ServerTimings> {
    const { workerId = `worker-${randomUUID()}`, version } = this.options;
    return this.source.open({
      queueName: this.queueNames[0]!,
      hostname: hostname(),
      workerId,
      maxConcurrency: this.concurrency,
      version,
    });
  }

  /**
   * Stops claiming, waits for running jobs, and releases those that do not end in time, which uses up no attempt. A server that does not
   * answer delays the end by 20 s at most.
   *
   * @param waitMs maximum wait for handlers in milliseconds; then their signals are aborted
   * @throws TypeError for another value; the worker goes on
   */
  async stop(waitMs = 30_000): Promise<void> {
    requireAmount(waitMs, 'waitMs');
    await (this.stopped ??= this.finish(waitMs));
  }

  private async finish(waitMs: number): Promise<void> {
    this.stopping.abort();
    const deadline = new AbortController();
    const timer = this.clock.after(waitMs, () => deadline.abort());
    await this.drained(deadline.signal);
    timer.cancel();
    for (const run of this.runs.values()) run.abandon();
    await within(this.clock, longestEndMs, this.allEnded());
    this.heartbeatTimer?.cancel();
    this.runTimersTimer?.cancel();
    if (this.id !== '') await within(this.clock, longestEndMs, this.close());
    this.emit('stopped');
  }

  private async allEnded(): Promise<void> {
    while (this.unended > 0) await once(this.settled, 'one');
  }

  /** Never rejects. */
  private close(): Promise<void> {
    this.closing ??= this.source.close().catch((error: unknown) => this.emitError(error));
    return this.closing;
  }

  private async drained(deadline: AbortSignal): Promise<void> {
    const expired = once(deadline, 'abort');
    await Promise.race([this.opening?.catch(() => undefined), expired]);
    await Promise.race([this.claiming, expired]);
    while (this.runs.size > 0 && !deadline.aborted) {
      await once(this.settled, 'one', { signal: deadline }).catch(() => undefined);
    }
  }

  private runClaimLoop(leaseSeconds: number): Promise<void> {
    const { pollIntervalMs = 500 } = this.options;
    const { signal } = this.stopping;
    const { source, concurrency, queueNames } = this;
    const onError = (error: unknown) => this.emitError(error);
    const context: RunContext = {
      clock: this.clock,
      source,
      leaseSeconds,
      findHandler: (job) => handlerOf(this.options.queues[job.queueName]!, job),
      onError,
    };
    const common = {
      clock: this.clock,
      leaseSeconds,
      signal,
      start: (job: LeasedJob) => this.startRun(job, context),
      onError,
    };
    if (source.push && queueNames.length <= (source.maxPushedQueues ?? 1)) {
      return runPushLoop({ ...common, push: source.push.bind(source), queueNames, concurrency });
    }
    const finder = new ClaimLoop({
      ...common,
      source,
      queueNames,
      pollIntervalMs,
      freeSlots: () => this.concurrency - this.runs.size,
      slotFreed: () => once(this.settled, 'one', { signal }).catch(() => undefined),
    });
    return finder.run();
  }

  private startRun(job: LeasedJob, context: RunContext): void {
    if (this.stopping.signal.aborted) return void this.releaseUnstarted(job);
    this.tellClaimed(job);
    const run = new JobRun(job, context);
    this.runs.set(job.leaseId, run);
    void this.awaitRun(job, run);
    this.runTimersTimer ??= this.clock.after(shortRunMs, () => this.startRunTimers());
  }

  /** A listener that throws must not keep this job, and those that were claimed with it, from running. */
  private tellClaimed(job: LeasedJob): void {
    try {
      this.emit('claimed', job);
    } catch (error) {
      this.emitError(error);
    }
  }

  private startRunTimers(): void {
    this.runTimersTimer = undefined;
    for (const run of this.runs.values()) run.startTimers();
  }

  private async releaseUnstarted(job: LeasedJob): Promise<void> {
    this.unended++;
    await this.release(job);
    this.end();
  }

  /** Never rejects. */
  private async awaitRun(job: LeasedJob, run: JobRun): Promise<void> {
    this.unended++;
    try {
      const outcome = await run.run();
      if (outcome.kind === 'abandoned') await this.release(job);
      else this.report(job, outcome);
    } catch (error) {
      this.emitError(error);
    } finally {
      this.runs.delete(job.leaseId);
      this.end();
    }
  }

  private end(): void {
    this.unended--;
    this.settled.emit('one');
  }

  /** Never rejects: what cannot be released is recovered when its lease expires. */
  private async release(job: LeasedJob): Promise<void> {
    await this.source.release(job).catch((error: unknown) => this.emitError(error));
  }

  private report(job: LeasedJob, outcome: RunOutcome): void {
    if (outcome.kind === 'completed') this.emit('completed', job, outcome.result);
    else if (outcome.kind === 'failed') this.emit('failed', job, outcome.error, outcome.willRetry);
    else if (outcome.kind === 'cancelled') this.emit('cancelled', job);
    else if (outcome.kind === 'waiting') this.emit('waiting', job);
    else if (outcome.kind === 'lost') this.emit('leaseLost', job);
  }

  private async sendHeartbeat(): Promise<void> {
    try {
      await this.source.heartbeat(this.runs.size, this.stopping.signal.aborted);
    } catch (error) {
      this.emitError(error);
    }
  }

  private emitError(error: unknown): void {
    emitError(this, error, this.clock.monotonic());
  }

  private get queueNames(): string[] {
    return Object.keys(this.options.queues);
  }

  private get concurrency(): number {
    return this.options.concurrency ?? 5;
  }
}
