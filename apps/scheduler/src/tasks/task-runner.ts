import { Inject, Injectable } from '@nestjs/common';
import { systemClock } from '@spooled/clock';
import { Database } from '@spooled/data-access';
import { AppLogger, METRICS, SETTINGS } from '@spooled/platform';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';
import { type ScheduledTask, SchedulerPresence, TaskLoop } from '@spooled/queue';
import { intervalsOf } from './task-intervals.js';
import { TaskReport } from './task-report.js';

/** Injects all tasks of this service. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');

/** Runs every task in a separate loop, so a long run never delays another task. */
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
    const report = new TaskReport(logger, metrics);
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
