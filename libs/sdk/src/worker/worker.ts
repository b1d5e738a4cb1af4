import { EventEmitter, once } from 'node:events';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Spooled } from '../spooled.js';
import { GrpcSource } from './grpc-source.js';
import { handlerOf, type QueueHandlers } from './handlers.js';
import { JobRun, type RunOutcome } from './job-run.js';
import { RestSource } from './rest-source.js';
import { WorkFinder } from './work-finder.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export interface WorkerOptions {
  /** Who does the jobs of which queue. */
  queues: Record<string, QueueHandlers>;
  /** Jobs at once, over all queues. @default 5 */
  concurrency?: number;
  /** Seconds for which a job is held; renewed at half of it. @default 30 */
  leaseSeconds?: number;
  /** @default 'rest' */
  transport?: 'rest' | 'grpc';
  /** Ms to wait when no queue has work and the door does not wait by itself. @default 500 */
  pollIntervalMs?: number;
  /** Seconds between two signs of life. @default 10 */
  heartbeatSeconds?: number;
  /** A name of its own, so that the worker is recognized after a restart. Over gRPC the server gives one. */
  workerId?: string;
  version?: string;
}

interface WorkerEvents {
  claimed: [LeasedJob];
  completed: [LeasedJob, unknown];
  /** The attempt failed; the last argument tells whether there will be another. */
  failed: [LeasedJob, unknown, boolean];
  /** The lease ended before the job did; somebody else has it. */
  leaseLost: [LeasedJob];
  /** Something went wrong around the jobs; the worker goes on. */
  problem: [unknown];
  stopped: [];
}

/** Takes jobs as it has hands free, and hands in what became of them. Delivery is at least once: handlers may see a job again. */
export class Worker extends EventEmitter<WorkerEvents> {
  private readonly source: WorkSource;
  private readonly runs = new Map<string, JobRun>();
  private readonly settled = new EventEmitter<{ one: [] }>();
  private readonly stopping = new AbortController();
  private claiming: Promise<void> | undefined;
  private beating: NodeJS.Timeout | undefined;
  private stopped: Promise<void> | undefined;

  /** @throws TypeError without a queue, or over gRPC without an API key */
  constructor(
    private readonly client: Spooled,
    private readonly options: WorkerOptions,
  ) {
    super();
    if (this.queueNames.length === 0) throw new TypeError('A worker needs at least one queue');
    this.source = options.transport === 'grpc' ? new GrpcSource(client.options) : new RestSource(client);
  }

  /** Under which the worker is listed; empty before `start`. */
  get id(): string {
    return this.source.workerId;
  }

  /** Jobs that are being handled. */
  get running(): number {
    return this.runs.size;
  }

  /** Registers, and begins to claim; once. @throws SpooledError when it cannot register */
  async start(): Promise<void> {
    if (this.claiming || this.stopped) throw new Error('A worker starts once');
    const { workerId = `worker-${randomUUID()}`, version, heartbeatSeconds = 10 } = this.options;
    await this.source.open({
      queueName: this.queueNames[0]!,
      hostname: hostname(),
      workerId,
      maxConcurrency: this.concurrency,
      version,
    });
    this.beating = setInterval(() => void this.beat(), heartbeatSeconds * 1000);
    this.claiming = this.findWork();
  }

  /**
   * Takes no new jobs, waits for those in hand, and gives back what is not done in time: at once and at no cost.
   *
   * @param waitMs how long handlers may take; their signals abort then
   */
  stop(waitMs = 30_000): Promise<void> {
    this.stopped ??= this.finish(waitMs);
    return this.stopped;
  }

  private async finish(waitMs: number): Promise<void> {
    this.stopping.abort();
    const patience = AbortSignal.timeout(waitMs);
    await this.drained(patience);
    for (const run of this.runs.values()) run.leave();
    clearInterval(this.beating);
    if (this.id !== '') await this.source.close().catch((error: unknown) => this.emit('problem', error));
    this.emit('stopped');
  }

  private async drained(patience: AbortSignal): Promise<void> {
    const isOver = once(patience, 'abort');
    await Promise.race([this.claiming, isOver]);
    while (this.runs.size > 0 && !patience.aborted) {
      await once(this.settled, 'one', { signal: patience }).catch(() => undefined);
    }
  }

  private findWork(): Promise<void> {
    const { leaseSeconds = 30, pollIntervalMs = 500 } = this.options;
    const { signal } = this.stopping;
    const finder = new WorkFinder({
      source: this.source,
      queueNames: this.queueNames,
      leaseSeconds,
      pollIntervalMs,
      signal,
      freeHands: () => this.concurrency - this.runs.size,
      handFreed: () => once(this.settled, 'one', { signal }).catch(() => undefined),
      take: (job) => this.begin(job, leaseSeconds),
      onProblem: (error) => this.emit('problem', error),
    });
    return finder.run();
  }

  private begin(job: LeasedJob, leaseSeconds: number): void {
    // Too late: it goes back with the worker's farewell.
    if (this.stopping.signal.aborted) return;
    this.emit('claimed', job);
    const run = new JobRun({
      job,
      source: this.source,
      leaseSeconds,
      findHandler: () => handlerOf(this.options.queues[job.queueName]!, job),
      progress: async (progress, message) => {
        await this.client.jobs.progress(job.id, { progress, message, workerId: this.id, leaseId: job.leaseId });
      },
      onProblem: (error) => this.emit('problem', error),
    });
    this.runs.set(job.id, run);
    void this.follow(job, run);
  }

  private async follow(job: LeasedJob, run: JobRun): Promise<void> {
    try {
      this.report(job, await run.run());
    } catch (error) {
      this.emit('problem', error);
    } finally {
      this.runs.delete(job.id);
      this.settled.emit('one');
    }
  }

  private report(job: LeasedJob, outcome: RunOutcome): void {
    if (outcome.kind === 'completed') this.emit('completed', job, outcome.result);
    else if (outcome.kind === 'failed') this.emit('failed', job, outcome.error, outcome.willRetry);
    else if (outcome.kind === 'lost') this.emit('leaseLost', job);
  }

  private async beat(): Promise<void> {
    try {
      await this.source.beat(this.runs.size, this.stopping.signal.aborted);
    } catch (error) {
      this.emit('problem', error);
    }
  }

  private get queueNames(): string[] {
    return Object.keys(this.options.queues);
  }

  private get concurrency(): number {
    return this.options.concurrency ?? 5;
  }
}
