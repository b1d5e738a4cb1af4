import type { DeadlineTask, Deadlines } from '@spooled/queue';
import type { DueSchedules, FiredRun } from './due-schedules.js';

/**
 * Fires schedules on time, including those with seconds: runs when the next one is due; a sweep every 10 s is the
 * safety net (SP-24, SP-32, MQ-22).
 */
export class CronTask implements DeadlineTask {
  readonly name = 'cron';
  readonly fullBatch = 100;

  constructor(
    private readonly schedules: DueSchedules,
    private readonly deadlines: Deadlines,
    private readonly onRuns: (runs: FiredRun[]) => void = () => undefined,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntil('schedule');
  }

  async run(): Promise<number> {
    const runs = await this.schedules.fire(this.fullBatch);
    this.onRuns(runs);
    return runs.length;
  }
}
