import { setTimeout as sleep } from 'node:timers/promises';
import { moveDatabaseClock, stopDatabaseClock } from '@spooled/data-access';
import type { AnyHandledJob, Duration, Job, JobDefinition, JobLogs, Logger } from '@spooled/sdk';
import { App, milliseconds, requireKnown, withoutType } from '@spooled/sdk/internal';
import { EmbeddedSpooled } from '../embedded-spooled.js';
import {
  assess,
  type Assessment,
  type CompletedExpectation,
  type EnqueuedExpectation,
  type Expected,
  type FailedExpectation,
  type TestJob,
} from './job-expectations.js';
import { createTemporaryDatabase, type TemporaryDatabase } from './temporary-database.js';
import { TestConnection } from './test-connection.js';

export interface TestOptions {
  /** The jobs that the test runs; others are only enqueued. */
  jobs?: AnyHandledJob[];
  /**
   * `inline`: jobs run while the test calls `drain`, and time passes only by `advance`; `background`: both as in an application.
   * @default 'inline'
   */
  mode?: 'inline' | 'background';
  /** @default none */
  logger?: Logger;
}

/** A line that a handler has logged. */
export type LoggedLine = Pick<JobLogs['lines'][number], 'attempt' | 'level' | 'message' | 'fields'>;

/** A job that ended. */
export interface EndedTestJob<Payload, Result> {
  id: string;
  payload: Payload;
  /** Of a completed job. */
  result: Result;
  /** Of a failed job: the text of the last error. */
  lastError: string | null;
  /** Attempts that failed. */
  failures: number;
}

// What its handler takes and returns does not matter here.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob<Payload, Result> = JobDefinition<Payload, any, any, Result>;

/** An assertion about jobs that does not hold. */
class JobAssertionError extends Error {
  override name = 'JobAssertionError';
}

const testsOfApps = new WeakMap<App, TestSpooled>();

/** The test whose app this is. @throws Error for another app */
export function testOf(app: App): TestSpooled {
  const test = testsOfApps.get(app);
  if (!test) throw new Error('Matchers for jobs need testSpooled(): the app of this process is not of a test');
  return test;
}

const optionNames: Record<keyof TestOptions, true> = { jobs: true, mode: true, logger: true };
/** A job that enqueues itself would never be drained. */
const maxDrained = 10_000;
const maxListed = 1_000;
const pollMs = 20;

/**
 * Spooled in a database of its own, for tests of producers and handlers as they are.
 * @param serverUrl a PostgreSQL server for tests, by a role that may create databases and roles
 * @throws TypeError for an unknown option; Error when the database cannot be created
 */
export async function testSpooled(serverUrl: string, options: TestOptions = {}): Promise<TestSpooled> {
  requireKnown(options, optionNames);
  const { jobs = [], mode = 'inline', logger = false } = options;
  const database = await createTemporaryDatabase(serverUrl);
  try {
    // Otherwise what a test sees depends on how fast it is: a retry becomes due while the test still drains.
    const stoppedAt = mode === 'inline' ? await stopDatabaseClock(database.url) : null;
    const spooled = await openIn(database, mode === 'background');
    const connection = new TestConnection(spooled, stoppedAt);
    const app = new App(connection, { logger, stopOn: [] });
    spooled.on('error', app.reportError);
    const test = new TestSpooled(app, { spooled, connection, database, queues: jobs.map(({ queue }) => queue) });
    await app.work(jobs).catch(async (error: unknown) => {
      await test.stop();
      throw error;
    });
    return test;
  } catch (error) {
    await database.drop();
    throw error;
  }
}

const openIn = ({ url }: TemporaryDatabase, maintenance: boolean): Promise<EmbeddedSpooled> =>
  EmbeddedSpooled.open({ databaseUrl: url, organization: 'test', createOrganization: true, maintenance });

interface TestParts {
  spooled: EmbeddedSpooled;
  connection: TestConnection;
  database: TemporaryDatabase;
  queues: string[];
}

/** What `testSpooled` makes. Jobs that the test enqueues go to it. */
export class TestSpooled {
  /** @internal */
  constructor(
    readonly app: App,
    private readonly parts: TestParts,
  ) {
    testsOfApps.set(app, this);
  }

  /** The URL of its database, for transactions of the application (`tx`, `completeIn`). End their connections before `stop`. */
  get url(): string {
    return this.parts.database.url;
  }

  /**
   * Runs all jobs that are due, those that they enqueue, and due schedules; or waits until the background has done so. Jobs with a
   * delay, and failed ones before their next attempt, wait for `advance`.
   * @returns how many attempts ran, 0 in the background
   * @throws Error after 10,000 attempts
   */
  async drain(): Promise<number> {
    const { spooled, connection, queues } = this.parts;
    const runTasks = () => spooled.runTasks({ housekeeping: false });
    if (connection.inline.length === 0) {
      await runTasks();
      while ((await spooled.jobs.countActive(queues)) > 0) await sleep(pollMs);
      return 0;
    }
    let ran = 0;
    for (let more = -1; more !== 0; ran += more) {
      if (ran > maxDrained) throw new Error(`drain() has run ${ran} attempts: does a job enqueue itself?`);
      await runTasks();
      more = 0;
      for (const worker of connection.inline) more += await worker.runSome();
    }
    return ran;
  }

  /** Completed jobs of this definition, the oldest first, at most 1,000. */
  completed<Payload, Result>(job: AnyJob<Payload, Result>): Promise<EndedTestJob<Payload, Result>[]> {
    return this.ended(job, ['completed']);
  }

  /** Jobs of this definition that failed for good, the oldest first, at most 1,000. */
  failed<Payload, Result>(job: AnyJob<Payload, Result>): Promise<EndedTestJob<Payload, Result>[]> {
    return this.ended(job, ['failed', 'deadletter']);
  }

  /**
   * Requires that jobs of this definition were enqueued, whatever became of them.
   * @returns those that are as expected
   * @throws JobAssertionError that lists the jobs and how each differs; TypeError naming a wrong member; Error beyond 1,000 jobs
   */
  assertEnqueued<Payload, Result>(
    job: AnyJob<Payload, Result>,
    expected: EnqueuedExpectation<Payload> = {},
  ): Promise<TestJob<Payload, Result>[]> {
    return this.assert(job, 'enqueued', { ...expected });
  }

  /** Requires that jobs of this definition have completed. @returns those that are as expected @throws as `assertEnqueued` */
  assertCompleted<Payload, Result>(
    job: AnyJob<Payload, Result>,
    expected: CompletedExpectation<Payload, Result> = {},
  ): Promise<TestJob<Payload, Result>[]> {
    return this.assert(job, 'completed', { ...expected });
  }

  /**
   * Requires that jobs of this definition failed for good: an attempt that will be retried does not count.
   * @returns those that are as expected
   * @throws as `assertEnqueued`
   */
  assertFailed<Payload, Result>(
    job: AnyJob<Payload, Result>,
    expected: FailedExpectation<Payload> = {},
  ): Promise<TestJob<Payload, Result>[]> {
    return this.assert(job, 'failed', { ...expected });
  }

  /** What the handlers of a job have logged, at most the newest 20 attempts. @throws NotFoundError */
  async logs(id: string): Promise<LoggedLine[]> {
    const { jobs } = this.parts.spooled;
    const lines: LoggedLine[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await jobs.logs(id, { cursor, limit: 500 });
      lines.push(...page.lines.map(({ attempt, level, message, fields }) => ({ attempt, level, message, fields })));
      cursor = page.nextCursor ?? undefined;
      more = page.hasMore;
    }
    return lines;
  }

  /** @internal For matchers. */
  async assess(
    job: AnyJob<unknown, unknown>,
    expected: Expected,
    expectation: Record<string, unknown>,
  ): Promise<Assessment> {
    const jobs = await this.list(job, null);
    if (jobs.length === maxListed)
      throw new Error(`Assertions read at most ${maxListed} jobs, and ${job.name} has them`);
    return assess(job.name, jobs, expected, expectation);
  }

  /** Moves the time of the database on: delays, schedules, retries and leases become due. Handlers' timers stay as they are. */
  async advance(by: Duration): Promise<void> {
    const ms = milliseconds(by, 'by');
    await moveDatabaseClock(this.parts.database.url, `${ms} milliseconds`, { keepWorkers: true });
    this.parts.connection.move(ms);
  }

  /** Stops the app and drops the database. */
  async stop(): Promise<void> {
    try {
      await this.app.stop('1s');
    } finally {
      await this.parts.database.drop();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  private async assert<Payload, Result>(
    job: AnyJob<Payload, Result>,
    expected: Expected,
    expectation: Record<string, unknown>,
  ): Promise<TestJob<Payload, Result>[]> {
    const { isMet, matching, message } = await this.assess(job, expected, expectation);
    if (!isMet) throw new JobAssertionError(message());
    return matching as TestJob<Payload, Result>[];
  }

  private async ended<Payload, Result>(
    job: AnyJob<Payload, Result>,
    statuses: Job['status'][],
  ): Promise<EndedTestJob<Payload, Result>[]> {
    const found = await this.list(job, statuses);
    return found.map(({ id, payload, result, lastError, failures }) => ({ id, payload, result, lastError, failures }));
  }

  /** @param statuses null = any */
  private async list<Payload, Result>(
    job: AnyJob<Payload, Result>,
    statuses: Job['status'][] | null,
  ): Promise<TestJob<Payload, Result>[]> {
    const { declaration } = job;
    const type = job.queue === job.name ? null : job.name;
    const found = await this.parts.spooled.jobs.list(job.queue, { statuses, type, limit: maxListed });
    return found.map(({ id, status, payload, result, lastError, retryCount: failures, ...more }) => ({
      ...{ id, status, lastError, failures },
      ...{ key: more.idempotencyKey, priority: more.priority, tags: more.tags },
      payload: withoutType(declaration, payload) as Payload,
      result: result as Result,
    }));
  }
}
