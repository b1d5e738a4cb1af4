import { type CommandOf, formatActor, type JobQuota, type Timestamp } from '@spooled/contracts';
import { type Database, isStatementTimeout, type SystemTransaction, toDatabaseError } from '@spooled/data-access';
import { partition } from '@spooled/domain';
import { type BackgroundOptions, BlockedTenants, isOutage, lockTimeoutMs } from '../step/blocked-tenants.js';
import { EffectsBuilder } from '../step/effects.js';
import { enqueueBatch } from '../enqueue/enqueue.js';
import { recordRuns, type ScheduledRun } from './record-runs.js';
import { scheduledJob, type ScheduledJobFields } from './scheduled-job.js';
import { takeDueSchedules, type TakeDueSchedulesRecord } from './take-due-schedules.queries.js';

/** A due schedule as it was read, and the run to make. */
export interface DueSchedule {
  id: string;
  organizationId: string;
  name: string;
  /** `next_run_at` and `updated_at` as read, for the compare-and-swap. */
  dueAt: Timestamp;
  changedAt: Timestamp;
  /** The next time; null = none. */
  nextRunAt: Timestamp | null;
  /** The job to create, or why there is none: recorded as a failed run. */
  job: ScheduledJobFields | { problem: string; queueName: string };
  quota: JobQuota;
}

type Enqueue = CommandOf<'job.enqueue'>;

/**
 * Fires schedules: advances each by compare-and-swap, creates its job and records the run in one transaction, so that
 * neither a crash nor another scheduler loses or duplicates a run (MQ-22, MQ-23).
 */
export class ScheduleFiring {
  private readonly leftOut: BlockedTenants;

  constructor(
    private readonly db: Database,
    private readonly options: BackgroundOptions,
  ) {
    this.leftOut = new BlockedTenants(undefined, options.clock);
  }

  /** Organizations whose schedules recently waited for locks or failed unrecorded, and would hold up the others. */
  get blocked(): string[] {
    return this.leftOut.list();
  }

  /**
   * The runs that this process won. A run that exceeds the plan is recorded as failed; the schedule advances either
   * way.
   * @throws SpooledError 503 when PostgreSQL is unavailable
   */
  async fire(due: DueSchedule[]): Promise<ScheduledRun[]> {
    const [suspects, others] = partition(due, ({ organizationId }) => this.leftOut.isSuspect(organizationId));
    return this.fireEach([others, ...ofEachOrganization(suspects)]);
  }

  private async fireTogether(due: DueSchedule[]): Promise<ScheduledRun[]> {
    if (due.length === 0) return [];
    try {
      return await this.fireAll(due);
    } catch (error) {
      if (isStatementTimeout(error)) return this.fireApart(due);
      if (isOutage(error)) throw error;
      // One by one, so that only the culprit's run fails.
      return due.length === 1 ? this.recordFailedRun(due[0]!, error) : this.fireEach(due.map((one) => [one]));
    }
  }

  private async fireAll(due: DueSchedule[]): Promise<ScheduledRun[]> {
    const effects = new EffectsBuilder();
    const fire = async (tx: SystemTransaction) => {
      const taken = await advanceDue(tx, due);
      const runs = await createJobs(tx, taken, effects);
      await recordRuns(tx, runs, 'schedule', effects);
      return runs;
    };
    // Suspects are alone.
    const lockMs = this.leftOut.lockMs(due[0]!.organizationId, this.options.lockMs ?? lockTimeoutMs);
    const runs = await this.db.asSystem('fire schedules', fire, { lockMs });
    effects.publish(this.options);
    return runs;
  }

  /** After the whole batch took too long: an application may hold a lock of one organization for as long as it likes. */
  private async fireApart(due: DueSchedule[]): Promise<ScheduledRun[]> {
    const parts = ofEachOrganization(due);
    if (parts.length > 1) return this.fireEach(parts);
    const { organizationId } = due[0]!;
    this.leftOut.record(organizationId);
    this.options.onBlocked?.(organizationId);
    return [];
  }

  private async fireEach(parts: DueSchedule[][]): Promise<ScheduledRun[]> {
    const runs: ScheduledRun[] = [];
    for (const part of parts) runs.push(...(await this.fireTogether(part)));
    return runs;
  }

  private async recordFailedRun(one: DueSchedule, error: unknown): Promise<ScheduledRun[]> {
    this.options.onError(error, `run of schedule ${one.id}`);
    const problem = toDatabaseError(error).message;
    try {
      return await this.fireAll([{ ...one, job: { problem, queueName: one.job.queueName } }]);
    } catch (unrecorded) {
      if (isOutage(unrecorded)) throw unrecorded;
      this.options.onError(unrecorded, `record of the failed run of schedule ${one.id}`);
      this.leftOut.record(one.organizationId);
      return [];
    }
  }
}

const ofEachOrganization = (due: DueSchedule[]): DueSchedule[][] => [
  ...Map.groupBy(due, ({ organizationId }) => organizationId).values(),
];

async function advanceDue(tx: SystemTransaction, due: DueSchedule[]): Promise<DueSchedule[]> {
  const rows = due.map(({ id, dueAt, changedAt, nextRunAt }) => {
    return { id, due: dueAt, changed: changedAt, next: nextRunAt } satisfies TakeDueSchedulesRecord;
  });
  const taken = await tx.run(takeDueSchedules, { schedules: JSON.stringify(rows) });
  const ids = new Set(taken.map(({ id }) => id));
  return due.filter(({ id }) => ids.has(id));
}

async function createJobs(
  tx: SystemTransaction,
  taken: DueSchedule[],
  effects: EffectsBuilder,
): Promise<ScheduledRun[]> {
  const commands = taken.flatMap((one) => ('problem' in one.job ? [] : [enqueueCommand(one, one.job)]));
  const outcomes = commands.length > 0 ? await enqueueBatch(tx, commands, effects) : [];
  const refusals = new Map(
    commands.flatMap(({ id }, i) => {
      const outcome = outcomes[i]!;
      return outcome.ok ? [] : [[id, outcome.error.message] as const];
    }),
  );
  return taken.map(({ id: scheduleId, organizationId, job }) => {
    const error = 'problem' in job ? job.problem : (refusals.get(job.id) ?? null);
    const jobId = 'problem' in job || error !== null ? null : job.id;
    return { scheduleId, organizationId, queueName: job.queueName, jobId, error };
  });
}

/** The command is never sent, so it reuses the job's id. */
const enqueueCommand = ({ id, name, organizationId, quota }: DueSchedule, job: ScheduledJobFields): Enqueue => ({
  id: job.id,
  kind: 'job.enqueue',
  organizationId,
  ttlMs: 0,
  traceparent: null,
  actor: formatActor('schedule', id, name),
  body: { jobs: [scheduledJob(job)], quota, defaults: { maxRetries: 0, timeoutSeconds: 0 } },
});
