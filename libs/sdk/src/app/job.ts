import type { App } from './app.js';
import type { EnqueuedJob, GivenSignal } from './connection.js';
import { currentApp } from './current-app.js';
import { type Duration, milliseconds } from './duration.js';
import { JobFailedError } from './job-errors.js';
import type { HandlerContext } from './handler-context.js';
import type { JobSettings } from './job-settings.js';
import { newJob, payloadOf } from './new-job.js';
import { requireKnown } from './known-options.js';
import type { Received } from './received.js';
import { parsed } from './schema.js';

export interface EnqueueOptions {
  /** Starts the job after this time, by the clock of this machine. */
  delay?: Duration;
  /** The idempotency key: with one that exists, the existing job is returned. */
  key?: string;
  /** From -100 to 100; larger ones first. @default 0 */
  priority?: number;
  /** Found by filters of lists. */
  tags?: Record<string, unknown> | readonly unknown[] | string;
  /** An open transaction: the job exists if and only if it commits. For embedded mode, and for the services with an outbox. */
  tx?: unknown;
  /** With `tx`: jobs of one key are created in the order of their calls, also by way of an outbox. */
  orderingKey?: string;
  /** The app, if the process has several. */
  app?: App;
}

export type ManyOptions = Pick<EnqueueOptions, 'app'>;
/** Options of a job that is created at once. */
export type NewJobOptions = Omit<EnqueueOptions, 'tx' | 'orderingKey' | 'app'>;
/** One of many jobs. */
export type NewPayload<Payload> = { payload: Payload } & NewJobOptions;

export interface WaitOptions extends NewJobOptions, Pick<EnqueueOptions, 'app'> {
  /** @default '60s' */
  timeout?: Duration;
}

export interface ScheduleOptions {
  /** IANA name or ±HH:MM. @default 'UTC' */
  timezone?: string;
  /** Its name; a second schedule of a job needs one. @default the name of the job */
  name?: string;
}

const manyOptionNames: Record<keyof ManyOptions, true> = { app: true };
const scheduleOptionNames: Record<keyof ScheduleOptions, true> = { timezone: true, name: true };

/** The payload may be left out if it may be undefined: `{}` is sent. */
type Call<Input, Options> = undefined extends Input
  ? [payload?: Input, options?: Options]
  : [payload: Input, options?: Options];

export type JobHandler<Payload, Result> = (payload: Payload, context: HandlerContext) => Result | Promise<Result>;

/** A schedule as it was declared. */
export interface JobSchedule extends Required<ScheduleOptions> {
  cron: string;
  payload: unknown;
}

/** What the forms of a job share. */
export interface JobDeclaration {
  readonly name: string;
  readonly settings: JobSettings;
  readonly schedules: JobSchedule[];
}

/**
 * A kind of job: the same object for producers and workers. `Input` is what producers give, `Payload` what handlers get, `Returned` what
 * handlers may return, `Result` what those who wait get.
 */
export class Job<Input, Payload, Returned, Result> {
  constructor(
    /** @internal */
    readonly declaration: JobDeclaration,
  ) {}

  get name(): string {
    return this.declaration.name;
  }

  get queue(): string {
    return this.declaration.settings.queue;
  }

  /**
   * Enqueues a job. The payload is checked first, as its handler will receive it.
   * @throws ValidationError naming the member; TypeError naming a wrong option; SpooledError as `Spooled.jobs.create`
   */
  async enqueue(...[payload, options = {}]: Call<Input, EnqueueOptions>): Promise<EnqueuedJob> {
    const { app = currentApp(), tx, orderingKey, ...others } = options;
    if (tx === undefined && orderingKey !== undefined) throw new TypeError('orderingKey: needs tx');
    const job = await newJob(this.declaration, payload, others, app.connection);
    return app.connection.create(job, tx === undefined ? undefined : { tx, orderingKey });
  }

  /**
   * Enqueues any number of jobs. All payloads are checked before the first one is sent. Each 100 jobs (1,000 in embedded mode) are
   * enqueued all or none.
   * @throws as `enqueue`
   */
  async enqueueMany(jobs: NewPayload<Input>[], options: ManyOptions = {}): Promise<EnqueuedJob[]> {
    const { connection } = appOf(options);
    if (!Array.isArray(jobs) || !jobs.every((job) => typeof job === 'object' && job !== null))
      throw new TypeError('jobs: must be an array of { payload }');
    const made = await Promise.all(
      jobs.map(({ payload, ...options }) => newJob(this.declaration, payload, options, connection)),
    );
    const enqueued: EnqueuedJob[] = [];
    for (let first = 0; first < made.length; first += connection.maxBatch) {
      const batch = made.slice(first, first + connection.maxBatch).map(({ queueName: _, ...job }) => job);
      enqueued.push(...(await connection.createMany(this.queue, batch)));
    }
    return enqueued;
  }

  /**
   * Enqueues a job and waits for its result.
   * @throws JobFailedError when it fails for good or is cancelled; JobTimeoutError when it does not end in time, and goes on; as `enqueue`
   */
  async enqueueAndWait(...[payload, options = {}]: Call<Input, WaitOptions>): Promise<Result> {
    const { timeout = '60s', app = currentApp(), ...others } = options;
    // Nobody runs the job before the transaction has ended.
    if ('tx' in others) throw new TypeError('tx: enqueueAndWait cannot wait for a job that is not committed');
    const timeoutMs = milliseconds(timeout, 'timeout');
    const { id } = await this.enqueue(payload as Input, { ...others, app });
    const ended = await app.waits.for(id, timeoutMs);
    if (ended.status !== 'completed') throw new JobFailedError(ended);
    return (await parsed(this.declaration.settings.result, ended.result, 'result')) as Result;
  }

  /**
   * Gives a job the value that its `step.waitFor` waits for; one that comes before the wait is kept.
   * @param step the name of the wait
   * @throws ConflictError when the job or the wait has ended, NotFoundError
   */
  async signal(id: string, step: string, payload?: unknown, options: ManyOptions = {}): Promise<GivenSignal> {
    return appOf(options).connection.signal(id, step, payload);
  }

  /**
   * Declares a schedule. `App.work` creates or changes it by its name, and deletes those of this job that are declared no longer.
   * @param cron five fields, or six with seconds first
   * @throws TypeError for a name that this job has already, and for an unknown option
   */
  schedule(cron: string, payload: Input, options: ScheduleOptions = {}): this {
    requireKnown(options, scheduleOptionNames);
    const { timezone = 'UTC', name = this.name } = options;
    const { schedules } = this.declaration;
    if (schedules.some((other) => other.name === name)) {
      throw new TypeError(`${this.name}: has a schedule named ${JSON.stringify(name)} already`);
    }
    schedules.push({ name, cron, timezone, payload: payloadOf(this.declaration, payload) });
    return this;
  }

  /** The same job with its handler, for `App.work`. Without a schema of results, they are those of the handler. */
  handle<R extends Returned>(
    handler: JobHandler<Payload, R>,
  ): HandledJob<Input, Payload, Returned, unknown extends Result ? Received<R> : Result> {
    return new HandledJob(this.declaration, handler);
  }
}

/** @throws TypeError naming a wrong option */
function appOf(options: ManyOptions): App {
  requireKnown(options, manyOptionNames);
  return options.app ?? currentApp();
}

/** A job with its handler. */
export class HandledJob<Input, Payload, Returned, Result> extends Job<Input, Payload, Returned, Result> {
  constructor(
    declaration: JobDeclaration,
    /** @internal */
    readonly handler: JobHandler<Payload, Returned>,
  ) {
    super(declaration);
  }
}

// Any job of an app: what is in it is checked where it is defined.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyHandledJob = HandledJob<any, any, any, any>;
