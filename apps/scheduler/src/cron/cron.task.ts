import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@spooled/platform';
import { type DeadlineTask, Deadlines } from '@spooled/queue';
import { DueSchedules } from '@spooled/service';
import type { SchedulerMetrics } from '../scheduler.config.js';

/**
 * Fires schedules on time, including those with seconds: runs when the next one is due; a sweep every 10 s is the
 * safety net (SP-24, SP-32, MQ-22).
 */
@Injectable()
export class CronTask implements DeadlineTask {
  readonly name = 'cron';
  readonly fullBatch = 100;

  constructor(
    private readonly schedules: DueSchedules,
    private readonly deadlines: Deadlines,
    @Inject(METRICS) private readonly metrics: SchedulerMetrics,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilSchedule();
  }

  async run(): Promise<number> {
    const runs = await this.schedules.fire(this.fullBatch);
    for (const { jobId, delayMs } of runs) {
      this.metrics.scheduleRuns.inc({ outcome: jobId === null ? 'failed' : 'completed' });
      this.metrics.scheduleDelay.observe(delayMs / 1000);
      if (jobId !== null) this.metrics.jobsEnqueued.inc();
    }
    return runs.length;
  }
}
