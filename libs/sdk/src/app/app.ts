import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { AccessDeniedError } from '../http/errors.js';
import { systemClock } from '../worker/clock.js';
import { emitError } from '../worker/emit-error.js';
import type { Worker, WorkerEvents } from '../worker/worker.js';
import type { Connection } from './connection.js';
import { forget, remember } from './current-app.js';
import { type Duration, milliseconds, pauseMs, seconds } from './duration.js';
import type { AnyHandledJob } from './job.js';
import { JobWaits } from './job-waits.js';
import { requireKnown } from './known-options.js';
import { errorLine } from '../worker/thrown.js';
import { consoleLogger, type Logger, silentLogger } from './logger.js';
import { planWorkers } from './queue-handlers.js';
import { declaredSchedules, storeSchedules } from './schedules.js';
import { stopOnSignals } from './stop-on-signals.js';

export interface AppOptions {
  /** @default lines on the console; false: none */
  logger?: Logger | false;
  /** Signals that stop the app once it works; the process then ends as without a listener, unless it has others. @default ['SIGTERM'] */
  stopOn?: NodeJS.Signals[];
}

export interface WorkOptions {
  /** Runs at the same time of all jobs without a concurrency of their own. @default 5 */
  concurrency?: number;
  /** Whole seconds; leases are renewed at half of it. @default what the server says */
  lease?: Duration;
  /** Pause between two looks at empty queues, where nobody tells about jobs. @default '500ms' */
  pollInterval?: Duration;
  /** Of the application, as lists of workers show it. */
  version?: string;
}

interface AppEvents extends Pick<WorkerEvents, 'completed' | 'failed' | 'cancelled'> {
  /** An error outside of handlers; the app goes on. Without a listener it is logged, at most once a minute per cause. */
  error: [unknown];
}

const workOptionNames: Record<keyof WorkOptions, true> = {
  ...{ concurrency: true, lease: true, pollInterval: true, version: true },
};

/** For callers without types. @throws TypeError */
function requireSignals(stopOn: unknown): void {
  if (Array.isArray(stopOn) && stopOn.every((name) => Object.hasOwn(constants.signals, name))) return;
  throw new TypeError("stopOn: must be an array of signals such as 'SIGTERM'");
}

/** Producers and workers of one organization, at the services or embedded: `connect` makes it. */
export class App extends EventEmitter<AppEvents> {
  /** @internal */
  readonly waits: JobWaits;
  private readonly log: Logger;
  private readonly workers = new Set<Worker>();
  private readonly stopOn: NodeJS.Signals[];
  private forgetSignals: (() => void) | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    /** @internal */
    readonly connection: Connection,
    { logger = consoleLogger, stopOn = ['SIGTERM'] }: AppOptions = {},
  ) {
    super();
    requireSignals(stopOn);
    this.log = logger || silentLogger;
    this.stopOn = stopOn;
    this.waits = new JobWaits(connection, systemClock);
    remember(this);
  }

  /**
   * Declares the schedules of these jobs and starts to run them. Each call adds workers. The first one also starts to send the jobs of
   * the outbox, if there is one; without jobs it does only that.
   * @throws TypeError naming what is wrong with a job or an option; SpooledError when a worker cannot register
   */
  async work(jobs: AnyHandledJob[], options: WorkOptions = {}): Promise<void> {
    this.requireRunning();
    requireKnown(options, workOptionNames);
    const { concurrency = 5, lease, pollInterval, version } = options;
    const plans = planWorkers(jobs, this, this.log, concurrency);
    const common = {
      version,
      leaseSeconds: lease === undefined ? undefined : seconds(lease, 'lease'),
      pollIntervalMs: pollInterval === undefined ? undefined : pauseMs(pollInterval, 'pollInterval'),
    };
    await this.declareSchedules(jobs);
    this.requireRunning();
    this.forgetSignals ??= stopOnSignals(this.stopOn, () => this.stop(), this.reportError);
    for (const plan of plans) {
      await this.start(this.connection.worker(plan.queues, { ...common, concurrency: plan.concurrency }));
      this.requireRunning();
    }
    this.connection.startRelay?.(this.reportError);
    this.log.info('app works', { jobs: jobs.map(({ name }) => name) });
  }

  /**
   * Takes no further jobs, waits for those that run and releases those that do not end in time, which uses up no attempt; then ends
   * the connections.
   * @param wait longest wait for handlers; then their signals are aborted
   * @throws TypeError for no duration; the app goes on
   */
  async stop(wait: Duration = '30s'): Promise<void> {
    const waitMs = milliseconds(wait, 'wait');
    await (this.stopped ??= this.finish(waitMs));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  private requireRunning(): void {
    if (this.stopped) throw new Error('The app has stopped');
  }

  /** A key of the role worker may not change schedules, and need not if there are none. */
  private async declareSchedules(jobs: AnyHandledJob[]): Promise<void> {
    const declared = await declaredSchedules(jobs);
    const names = jobs.map(({ name }) => name);
    await storeSchedules(this.connection.schedules, names, declared).catch((error: unknown) => {
      if (declared.length > 0 || !(error instanceof AccessDeniedError)) throw error;
    });
  }

  private async finish(waitMs: number): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.stop(waitMs)));
    this.waits.close();
    forget(this);
    await this.connection.close();
    this.forgetSignals?.();
    if (this.workers.size > 0) this.log.info('app stopped');
  }

  private async start(worker: Worker): Promise<void> {
    worker.on('error', this.reportError);
    worker.on('completed', (job, result) => {
      this.waits.ended(job.id);
      this.emit('completed', job, result);
    });
    worker.on('failed', (job, error, willRetry) => {
      this.waits.ended(job.id);
      this.log.warn('job failed', { queue: job.queueName, id: job.id, willRetry, error: errorLine(error) });
      this.emit('failed', job, error, willRetry);
    });
    worker.on('cancelled', (job) => {
      this.waits.ended(job.id);
      this.log.info('job cancelled', { queue: job.queueName, id: job.id });
      this.emit('cancelled', job);
    });
    worker.on('leaseLost', ({ id, queueName: queue }) => this.log.warn('lease lost', { queue, id }));
    this.workers.add(worker);
    await worker.start();
  }

  /** @internal */
  readonly reportError = (error: unknown): void =>
    emitError(this, error, systemClock.monotonic(), (unheard) => this.log.error(errorLine(unheard)));
}
