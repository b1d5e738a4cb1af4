import { Inject, Injectable } from '@nestjs/common';
import {
  addMissingPartitions,
  beginJobsCompaction,
  copyKeptJobs,
  Database,
  dropHistoryPartition,
  dropJobsPartition,
  finishJobsCompaction,
  type PartitionedTable,
  pastWeeks,
  planPastWeek,
  type Week,
} from '@spooled/data-access';
import { AppLogger, SETTINGS } from '@spooled/platform';
import type { ScheduledTask } from '@spooled/queue';
import { atMost, type RetentionSettings } from '../scheduler.config.js';
import { PlanPages } from './plan-pages.js';

/** Past weeks are kept at least this long: gateways with lagging clocks still write into them. */
const graceDays = 7;

/** Creates partitions for the next weeks, and drops those older than every organization's retention. */
@Injectable()
export class PartitionsTask implements ScheduledTask {
  readonly name = 'partitions';
  readonly fullBatch = Infinity;

  constructor(
    private readonly db: Database,
    private readonly plans: PlanPages,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: RetentionSettings,
  ) {}

  async run(stopping: AbortSignal): Promise<number> {
    const added = await addMissingPartitions(this.db, stopping, (one) => this.logger.info(one, 'partition added'));
    return added + (await this.dropPastJobs(stopping)) + (await this.dropPastHistory(stopping));
  }

  private async dropPastJobs(stopping: AbortSignal): Promise<number> {
    const days = Math.max(
      graceDays,
      atMost(await this.plans.longest('job_retention_days'), this.settings.JOB_RETENTION_DAYS),
    );
    let changed = 0;
    for (const week of await this.past('jobs', days)) {
      if (stopping.aborted) break;
      const plan = await this.db.asSystem('plan a past week', (tx) => planPastWeek(tx, week, days), {
        timeoutMs: 'none',
      });
      if (plan === 'drop') await this.dropJobs(week, days);
      if (plan === 'compact') await this.compactJobs(week, days, stopping);
      if (plan !== 'keep') changed++;
    }
    return changed;
  }

  private async dropJobs(week: Week, days: number): Promise<void> {
    await this.db.asSystem('drop a partition', (tx) => dropJobsPartition(tx, week, days), { timeoutMs: 'none' });
    this.logger.info({ table: 'jobs', week }, 'partition dropped');
  }

  /** Rewrites a partition of which many jobs must be kept. If it is interrupted, the next run copies again and continues. */
  private async compactJobs(week: Week, days: number, stopping: AbortSignal): Promise<void> {
    await this.db.asSystem('compact a partition', (tx) => beginJobsCompaction(tx, week, days), { timeoutMs: 'none' });
    let last: string | null = null;
    do {
      if (stopping.aborted) return;
      last = await this.db.asSystem('compact a partition', (tx) => copyKeptJobs(tx, week, days, last), {
        timeoutMs: 'none',
      });
    } while (last !== null);
    await this.db.asSystem('compact a partition', (tx) => finishJobsCompaction(tx, week), { timeoutMs: 'none' });
    this.logger.info({ table: 'jobs', week }, 'partition compacted');
  }

  private async dropPastHistory(stopping: AbortSignal): Promise<number> {
    const days = Math.max(
      graceDays,
      atMost(await this.plans.longest('history_retention_days'), this.settings.HISTORY_RETENTION_DAYS),
    );
    let dropped = 0;
    for (const week of await this.past('job_history', days)) {
      if (stopping.aborted) break;
      await this.db.asSystem('drop a partition', (tx) => dropHistoryPartition(tx, week), { timeoutMs: 'none' });
      this.logger.info({ table: 'job_history', week }, 'partition dropped');
      dropped++;
    }
    return dropped;
  }

  private past(table: PartitionedTable, days: number): Promise<Week[]> {
    return this.db.asSystem('find past partitions', (tx) => pastWeeks(tx, table, days), { timeoutMs: 'none' });
  }
}
