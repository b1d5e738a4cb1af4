import { Inject, Injectable } from '@nestjs/common';
import { type RetainedRecord, noTimeLimit, Database, deleteExpiredRecords } from '@spooled/data-access';
import type { PlanLimits } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { atMost, type RetentionSettings } from '../scheduler.config.js';
import type { ScheduledTask } from '@spooled/queue';
import { type OrganizationLimits, PlanPages } from './plan-pages.js';

/** Usage counters are kept only for inspection. */
const usageDays = 62;

/** Retention in days of each kind of record: the plan's, at most the operator's (MQ-31). Workflows follow their jobs. */
const retentionDays: Record<RetainedRecord, (limits: PlanLimits, settings: RetentionSettings) => number> = {
  finishedJobs: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  workflows: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  deadLetters: (limits, { DEAD_LETTER_RETENTION_DAYS: most }) => atMost(limits.dead_letter_retention_days, most),
  jobHistory: (limits, { HISTORY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  scheduleRuns: (limits, { HISTORY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  deliveries: (limits, { DELIVERY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  inboundDeliveries: (limits, { DELIVERY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  offlineWorkers: (_, { OFFLINE_WORKER_RETENTION_DAYS: days }) => days,
  usageCounters: () => usageDays,
};
const kinds = Object.keys(retentionDays) as RetainedRecord[];

/**
 * Deletes records older than the retention of their organization's plan or of the operator (SP-36, PB-23, MQ-26). Live jobs are kept.
 */
@Injectable()
export class RetentionTask implements ScheduledTask {
  readonly name = 'retention';
  readonly fullBatch = 10_000;

  constructor(
    private readonly db: Database,
    private readonly plans: PlanPages,
    @Inject(SETTINGS) private readonly settings: RetentionSettings,
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
    const keep = page.map(({ organizationId, limits }) => ({
      organizationId,
      days: retentionDays[kind](limits, this.settings),
    }));
    return this.db.asSystem(
      `retention ${kind}`,
      (tx) => deleteExpiredRecords(tx, kind, keep, this.fullBatch),
      noTimeLimit,
    );
  }
}
