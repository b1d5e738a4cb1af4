import { Inject, Injectable } from '@nestjs/common';
import {
  type RetainedRecord,
  type RetentionBatch,
  Database,
  deleteExpiredRecords,
  isStatementTimeout,
} from '@spooled/data-access';
import type { Clock, PlanLimits } from '@spooled/domain';
import { AppLogger, SETTINGS } from '@spooled/platform';
import { atMost, type RetentionSettings } from '../scheduler.config.js';
import type { ScheduledTask } from '@spooled/queue';
import { CLOCK } from '@spooled/service';
import { type OrganizationLimits, PlanPages } from './plan-pages.js';

/**
 * How often a run looks at all jobs older than their retention period; the others look only at those that have become so old since the
 * last run, and a day back. Dead letters and live jobs may be kept for weeks after it, and every run would look at each of them again.
 */
const fullRunEveryMs = 24 * 3600_000;
const lookBackMs = fullRunEveryMs;

/** Usage counters are kept only for inspection. */
const usageDays = 62;

/** Retention in days of each kind of record: the plan's, at most the operator's (MQ-31). Workflows follow their jobs. */
const retentionDays: Record<RetainedRecord, (limits: PlanLimits, settings: RetentionSettings) => number> = {
  finishedJobs: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  workflows: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  batchJobs: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  batches: (limits, { JOB_RETENTION_DAYS: most }) => atMost(limits.job_retention_days, most),
  deadLetters: (limits, { DEAD_LETTER_RETENTION_DAYS: most }) => atMost(limits.dead_letter_retention_days, most),
  jobHistory: (limits, { HISTORY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  scheduleRuns: (limits, { HISTORY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  deliveries: (limits, { DELIVERY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  inboundDeliveries: (limits, { DELIVERY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  inboundRefusals: (limits, { DELIVERY_RETENTION_DAYS: most }) => atMost(limits.history_retention_days, most),
  offlineWorkers: (_, { OFFLINE_WORKER_RETENTION_DAYS: days }) => days,
  usageCounters: () => usageDays,
};
const kinds = Object.keys(retentionDays) as RetainedRecord[];

/**
 * Deletes records older than the retention of their organization's plan or of the operator (SP-36, PB-23, MQ-26). Live jobs are kept.
 * Jobs that took longer than a day, and all jobs after a plan has been shortened, may be deleted up to a day late.
 */
@Injectable()
export class RetentionTask implements ScheduledTask {
  readonly name = 'retention';
  readonly fullBatch = 10_000;
  /** Lock timeout of a statement, in whose rows others wait meanwhile. Specs set a shorter one. */
  lockMs = 500;
  /** Start of the last run that left nothing to delete, and of the last of them that looked at all jobs; on the clock of this process. */
  private lastRunAt: number | null = null;
  private lastFullRunAt: number | null = null;

  constructor(
    private readonly db: Database,
    private readonly plans: PlanPages,
    @Inject(SETTINGS) private readonly settings: RetentionSettings,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** Returns the largest number of records that one statement deleted: after a full batch, more remain. */
  async run(stopping: AbortSignal): Promise<number> {
    const startedAt = this.clock.monotonic();
    const batch = { limit: this.fullBatch, lookBackSeconds: this.lookBackSeconds(startedAt) };
    let largest = 0;
    for await (const page of this.plans.pages()) {
      for (const kind of kinds) {
        if (stopping.aborted) return largest;
        largest = Math.max(largest, await this.deleteAged(kind, page, batch));
      }
    }
    if (largest < this.fullBatch) {
      this.lastRunAt = startedAt;
      if (batch.lookBackSeconds === null) this.lastFullRunAt = startedAt;
    }
    return largest;
  }

  private lookBackSeconds(now: number): number | null {
    if (this.lastRunAt === null || this.lastFullRunAt === null) return null;
    return now - this.lastFullRunAt > fullRunEveryMs ? null : (lookBackMs + now - this.lastRunAt) / 1000;
  }

  /**
   * Returns how many were deleted, of two statements the larger number. After a lock timeout it deletes those of each half of the
   * organizations, and leaves the one to a later run whose rows are locked: a transaction of an application may hold them for as long as it likes.
   */
  private async deleteAged(kind: RetainedRecord, page: OrganizationLimits[], batch: RetentionBatch): Promise<number> {
    const keep = page.map(({ organizationId, limits }) => ({
      organizationId,
      days: retentionDays[kind](limits, this.settings),
    }));
    try {
      const limits = { timeoutMs: 'none', lockMs: this.lockMs } as const;
      return await this.db.asSystem(`retention ${kind}`, (tx) => deleteExpiredRecords(tx, kind, keep, batch), limits);
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
    }
    if (page.length === 1) {
      const locked = { organizationId: page[0]!.organizationId, kind };
      this.logger.warn(locked, 'old records are locked by another transaction; a later run deletes them');
      return 0;
    }
    const half = Math.ceil(page.length / 2);
    const first = await this.deleteAged(kind, page.slice(0, half), batch);
    return Math.max(first, await this.deleteAged(kind, page.slice(half), batch));
  }
}
