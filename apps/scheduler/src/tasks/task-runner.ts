import { Inject, Injectable } from '@nestjs/common';
import { systemClock } from '@spooled/clock';
import { Database } from '@spooled/data-access';
import { AppLogger, METRICS, SETTINGS } from '@spooled/platform';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';
import { type ScheduledTask, SchedulerPresence, TaskLoop, type TaskReporter, TaskTurns } from '@spooled/queue';
import { intervalsOf } from './task-intervals.js';
import { SpooledError } from '@spooled/domain';

/** Injects all tasks of this service. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');

/** Tasks without a deadline that run at once. With those that have one, fewer than the connections that a small PgBouncer gives to maintenance. */
const mostWithoutDeadline = 3;

/**
 * Runs every task in a separate loop. Tasks with a deadline run when it has come, so a long run of another task never delays them; the others
 * take turns, at a start as well, when all are due.
 */
@Injectable()
export class TaskRunner {
  private readonly loops: TaskLoop[];
  private readonly presence: SchedulerPresence;

  constructor(
    db: Database,
    logger: AppLogger,
    @Inject(METRICS) metrics: SchedulerMetrics,
    @Inject(SETTINGS) settings: SchedulerSettings,
    @Inject(SCHEDULED_TASKS) tasks: readonly ScheduledTask[],
  ) {
    const names = new Set(tasks.map(({ name }) => name));
    if (names.size < tasks.length) throw new Error('Two tasks have the same name and lock');
    this.presence = new SchedulerPresence(db);
    const report = withTurns(new TaskReport(logger, metrics), new TaskTurns(mostWithoutDeadline));
    this.loops = tasks.map(
      (task) =>
        new TaskLoop(task, intervalsOf(task.name, settings), { db, report, random: Math.random, clock: systemClock }),
    );
  }

  start(): void {
    this.presence.start();
    for (const loop of this.loops) loop.start();
  }

  /** Starts no further run, and resolves when current runs have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.presence, ...this.loops].map((part) => part.stop()));
  }
}

/** The wait for a turn is not part of what is measured. */
const withTurns = (report: TaskReporter, turns: TaskTurns): TaskReporter => ({
  measure: (task, run) =>
    'msUntilDue' in task ? report.measure(task, run) : turns.run(() => report.measure(task, run)),
  succeeded: (task, startedAt) => report.succeeded(task, startedAt),
  failed: (task, startedAt, error) => report.failed(task, startedAt, error),
});

/** Reports task runs: metrics for each, log lines when a task starts failing and when it recovers. */
class TaskReport implements TaskReporter {
  private readonly failing = new Set<string>();
  private database = { unavailable: false, since: -Infinity };

  constructor(
    private readonly logger: AppLogger,
    private readonly metrics: SchedulerMetrics,
  ) {}

  /** Measures one run; null = another replica holds the lock. */
  async measure(task: ScheduledTask, run: () => Promise<number | null>): Promise<number | null> {
    const end = this.metrics.taskDuration.startTimer({ task: task.name });
    try {
      const done = await run();
      this.metrics.taskRuns.inc({ task: task.name, outcome: done === null ? 'lock_held' : 'completed' });
      if (done) {
        this.metrics.taskItems.inc({ task: task.name }, done);
        this.logger.debug({ task: task.name, done }, 'task processed items');
      }
      return done;
    } finally {
      end();
    }
  }

  /** `startedAt` by the process's clock (`performance.now`). */
  succeeded(task: ScheduledTask, startedAt: number): void {
    if (this.failing.delete(task.name)) this.logger.info({ task: task.name }, 'task recovered');
    if (this.databaseChanged(false, startedAt)) {
      this.logger.info({ dependency: 'PostgreSQL' }, 'PostgreSQL is available again; tasks resume');
    }
  }

  failed(task: ScheduledTask, startedAt: number, err: unknown): void {
    this.metrics.taskRuns.inc({ task: task.name, outcome: 'failed' });
    if (err instanceof SpooledError && err.status === 503) return this.outage(startedAt, err);
    if (this.failing.has(task.name)) return this.logger.debug({ task: task.name, err }, 'task failed again');
    this.failing.add(task.name);
    this.logger.error({ task: task.name, err }, 'task failed; retrying');
  }

  /** One line for all tasks: they all fail for the same reason. */
  private outage(startedAt: number, err: SpooledError): void {
    if (!this.databaseChanged(true, startedAt)) return;
    this.logger.warn({ dependency: 'PostgreSQL', err }, 'PostgreSQL is unavailable; all tasks are waiting for it');
  }

  /** Runs that started before the last change do not indicate the current state. */
  private databaseChanged(unavailable: boolean, startedAt: number): boolean {
    if (unavailable === this.database.unavailable || startedAt < this.database.since) return false;
    this.database = { unavailable, since: performance.now() };
    return true;
  }
}
