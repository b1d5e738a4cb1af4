import { Inject, Injectable } from '@nestjs/common';
import {
  addMissingPartitions,
  beginJobsCompaction,
  copyKeptJobs,
  Database,
  dropHistoryPartition,
  dropJobsPartition,
  finishCompaction,
  isStatementTimeout,
  type PartitionedTable,
  partitionLimits,
  type PartitionReporter,
  pastWeeks,
  planPastWeek,
  type SystemTransaction,
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
  private readonly report: PartitionReporter = {
    onAdded: (added) => this.logger.info(added, 'partition added'),
    onLocked: (left) => this.logger.warn(left, 'partition is locked by another transaction; the next run tries again'),
  };

  constructor(
    private readonly db: Database,
    private readonly plans: PlanPages,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: RetentionSettings,
  ) {}

  async run(stopping: AbortSignal): Promise<number> {
    const added = await addMissingPartitions(this.db, stopping, this.report);
    return added + (await this.dropPastJobs(stopping)) + (await this.dropPastHistory(stopping));
  }

  private async dropPastJobs(stopping: AbortSignal): Promise<number> {
    const days = Math.max(
      graceDays,
      atMost(await this.plans.longest('job_retention_days'), this.settings.JOB_RETENTION_DAYS),
    );
    return this.eachPastWeek('jobs', { days, stopping }, async (week) => {
      const plan = await this.db.asSystem('plan a past week', (tx) => planPastWeek(tx, week, days), partitionLimits);
      if (plan === 'drop') await this.dropJobs(week, days);
      if (plan === 'compact') await this.compactJobs(week, days, stopping);
      return plan !== 'keep';
    });
  }

  private async dropJobs(week: Week, days: number): Promise<void> {
    await this.db.asSystem('drop a partition', (tx) => dropJobsPartition(tx, week, days), partitionLimits);
    this.logger.info({ table: 'jobs', week }, 'partition dropped');
  }

  /** Rewrites a partition of which many jobs must be kept. If it is interrupted, the next run copies again and continues. */
  private async compactJobs(week: Week, days: number, stopping: AbortSignal): Promise<void> {
    const step = <T>(work: (tx: SystemTransaction) => Promise<T>) =>
      this.db.asSystem('compact a partition', work, partitionLimits);
    await step((tx) => beginJobsCompaction(tx, week, days));
    let last: string | null = null;
    do {
      if (stopping.aborted) return;
      last = await step((tx) => copyKeptJobs(tx, week, days, last));
    } while (last !== null);
    await step((tx) => tx.run(finishCompaction, { week }));
    this.logger.info({ table: 'jobs', week }, 'partition compacted');
  }

  private async dropPastHistory(stopping: AbortSignal): Promise<number> {
    const days = Math.max(
      graceDays,
      atMost(await this.plans.longest('history_retention_days'), this.settings.HISTORY_RETENTION_DAYS),
    );
    return this.eachPastWeek('job_history', { days, stopping }, async (week) => {
      await this.db.asSystem('drop a partition', (tx) => dropHistoryPartition(tx, week), partitionLimits);
      this.logger.info({ table: 'job_history', week }, 'partition dropped');
      return true;
    });
  }

  /** Returns how many weeks `change` has changed. One whose locks another transaction holds is left to the next run. */
  private async eachPastWeek(
    table: PartitionedTable,
    { days, stopping }: { days: number; stopping: AbortSignal },
    change: (week: Week) => Promise<boolean>,
  ): Promise<number> {
    let changed = 0;
    for (const week of await this.past(table, days)) {
      if (stopping.aborted) break;
      try {
        if (await change(week)) changed++;
      } catch (error) {
        if (!isStatementTimeout(error)) throw error;
        this.report.onLocked({ table, week });
      }
    }
    return changed;
  }

  private past(table: PartitionedTable, days: number): Promise<Week[]> {
    return this.db.asSystem('find past partitions', (tx) => pastWeeks(tx, table, days), partitionLimits);
  }
}
