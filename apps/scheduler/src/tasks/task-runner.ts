import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '@spooled/data-access';
import { AppLogger, METRICS } from '@spooled/platform';
import type { SchedulerMetrics } from '../scheduler.config.js';
import { DUTIES, type Duty } from './scheduled-task.js';
import { DutyLoop } from './task-loop.js';
import { DutyReport } from './task-report.js';

/** Keeps all duties going, each in a loop of its own: a long round of one never delays another. */
@Injectable()
export class DutyRunner {
  private readonly loops: DutyLoop[];

  constructor(
    db: Database,
    timers: SchedulerRegistry,
    logger: AppLogger,
    @Inject(METRICS) metrics: SchedulerMetrics,
    @Inject(DUTIES) duties: readonly Duty[],
  ) {
    const names = new Set(duties.map(({ name }) => name));
    if (names.size < duties.length) throw new Error('Two duties have the same name, and so the same lock');
    const report = new DutyReport(logger, metrics);
    this.loops = duties.map((duty) => new DutyLoop(duty, { db, timers, report, random: Math.random }));
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Begins no further round, and resolves when those under way are over. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
