import { Injectable } from '@nestjs/common';
import { type RetainedRecord, noTimeLimit, Database, deleteExpiredRecords } from '@spooled/data-access';
import type { PlanLimits } from '@spooled/domain';
import type { ScheduledTask } from '../tasks/scheduled-task.js';
import { type OrganizationLimits, PlanPages } from './plan-pages.js';

/** Usage counters are kept only for inspection. */
const usageDays = 62;

/** Retention in days of each kind of record. Workflows follow their jobs. */
const retentionDays: Record<RetainedRecord, (limits: PlanLimits) => number> = {
  finishedJobs: (limits) => limits.job_retention_days,
  workflows: (limits) => limits.job_retention_days,
  jobHistory: (limits) => limits.history_retention_days,
  scheduleRuns: (limits) => limits.history_retention_days,
  deliveries: (limits) => limits.history_retention_days,
  inboundDeliveries: (limits) => limits.history_retention_days,
  usageCounters: () => usageDays,
};
const kinds = Object.keys(retentionDays) as RetainedRecord[];

/**
 * Deletes records older than the retention of their organization's plan (SP-36, PB-23, MQ-26). Live jobs and dead
 * letters are kept.
 */
@Injectable()
export class RetentionTask implements ScheduledTask {
  readonly name = 'retention';
  readonly intervalMs = 300_000;
  readonly fullBatch = 10_000;

  constructor(
    private readonly db: Database,
    private readonly plans: PlanPages,
  ) {}

  /** Returns the largest number of records that one statement deleted: after a full batch, more remain. */
  async run(stopping: AbortSignal): Promise<number> {
    let largest = 0;
    for await (const page of this.plans.pages()) {
      for (const kind of kinds) {
        if (stopping.aborted) return largest;
        largest = Math.max(largest, await this.deleteAged(kind, page));
      }
    }
    return largest;
  }

  private deleteAged(kind: RetainedRecord, page: OrganizationLimits[]): Promise<number> {
    const keep = page.map(({ organizationId, limits }) => ({ organizationId, days: retentionDays[kind](limits) }));
    return this.db.asSystem(
      `retention ${kind}`,
      (tx) => deleteExpiredRecords(tx, kind, keep, this.fullBatch),
      noTimeLimit,
    );
  }
}
