import { Inject, Injectable } from '@nestjs/common';
import { METRICS, SETTINGS } from '@spooled/platform';
import type { DeadlineTask } from '@spooled/queue';
import { IsolationChecks } from '@spooled/service';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';
import { intervalsOf } from '../tasks/task-intervals.js';

/** A check that left out tables is repeated after this time. */
const incompleteMs = 60 * 60 * 1000;

/**
 * Checks that tenants are isolated in this database (SP-59): when the last check is older than the interval, and soon after the first start
 * of each version. An administrator may check in between.
 */
@Injectable()
export class IsolationTask implements DeadlineTask {
  readonly name = 'isolation';
  readonly fullBatch = Infinity;

  constructor(
    private readonly checks: IsolationChecks,
    @Inject(SETTINGS) private readonly settings: SchedulerSettings,
    @Inject(METRICS) metrics: SchedulerMetrics,
  ) {
    metrics.onScrape('isolationCheckPassed', async (gauge) => {
      const result = (await checks.latest())?.result;
      if (result) gauge.set(result.passed ? 1 : 0);
      else gauge.remove();
    });
  }

  async msUntilDue(): Promise<number> {
    const latest = await this.checks.latest();
    if (!latest?.checked_by_version) return 0;
    const sweepMs = intervalsOf(this.name, this.settings).sweepMs!;
    return (latest.is_complete ? sweepMs : Math.min(sweepMs, incompleteMs)) - latest.age_ms;
  }

  /** Asks again whether it is due: every process begins with a run. */
  async run(): Promise<number> {
    if ((await this.msUntilDue()) > 0) return 0;
    return (await this.checks.run())?.tables_checked ?? 0;
  }
}
