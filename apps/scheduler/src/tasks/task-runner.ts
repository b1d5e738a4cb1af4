import { Inject, Injectable } from '@nestjs/common';
import { systemClock } from '@spooled/clock';
import { Database } from '@spooled/data-access';
import { AppLogger, METRICS, SETTINGS } from '@spooled/platform';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';
import { type ScheduledTask, SchedulerPresence, TaskLoop, type TaskReporter, TaskTurns } from '@spooled/queue';
import { intervalsOf } from './task-intervals.js';
import { TaskReport } from './task-report.js';

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
