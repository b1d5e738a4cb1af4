import type { CommandOf, JobQuota, Timestamp } from '@spooled/contracts';
import { type Database, type SystemTransaction, toDatabaseError } from '@spooled/data-access';
import { type Effects, EffectsBuilder, isEmpty } from '../step/effects.js';
import { enqueueBatch } from '../enqueue/enqueue.js';
import { recordRuns, type ScheduledRun } from './record-runs.js';
import { scheduledJob, type ScheduledJobFields } from './scheduled-job.js';
import takeDueSchedulesSql from './take-due-schedules.sql';

export type { ScheduledRun };

/** A schedule whose time has come, as it was read, and what shall become of it. */
export interface DueSchedule {
  id: string;
  organizationId: string;
  /** `next_run_at` and `updated_at` as stored: whoever finds them unchanged, fires. */
  dueAt: Timestamp;
  changedAt: Timestamp;
  /** The time after this one; null = never again. */
  nextRunAt: Timestamp | null;
  /** The job to make, or why there can be none: that is noted as a failed run. */
  job: ScheduledJobFields | { problem: string; queueName: string };
  quota: JobQuota;
}

export interface ScheduleFiringOptions {
  /** Called after each commit that has something to tell; must not throw. */
  onEffects(effects: Effects): void;
  /** Told about runs that failed for reasons of ours rather than of the tenant's plan. */
  onError(error: unknown, what: string): void;
}

type Enqueue = CommandOf<'job.enqueue'>;

/**
 * Fires schedules: moves each on by compare-and-swap, makes its job and notes the run in one transaction, so that neither a
 * crash nor another scheduler loses or doubles a run (MQ-22, MQ-23).
 */
export class ScheduleFiring {
  constructor(
    private readonly db: Database,
    private readonly options: ScheduleFiringOptions,
  ) {}

  /**
   * The runs that were ours to make. A run that the plan has no room for is a failed one; the schedule goes on either way.
   * @throws SpooledError 503 when PostgreSQL is away
   */
  async fire(due: DueSchedule[]): Promise<ScheduledRun[]> {
    if (due.length === 0) return [];
    try {
      return await this.fireTogether(due);
    } catch (error) {
      const known = toDatabaseError(error);
      if (known.status === 503) throw error;
      return due.length === 1 ? await this.giveUp(due[0]!, error, known.message) : await this.fireOneByOne(due);
    }
  }

  private async fireTogether(due: DueSchedule[]): Promise<ScheduledRun[]> {
    const effects = new EffectsBuilder();
    const runs = await this.db.asSystem('fire schedules', async (tx) => {
      const taken = await take(tx, due);
      const runs = await makeJobs(tx, taken, effects);
      await recordRuns(tx, runs, 'schedule', effects);
      return runs;
    });
    const built = effects.build();
    if (!isEmpty(built)) this.options.onEffects(built);
    return runs;
  }

  /** After a failure of all together: only the culprit shall miss its run. */
  private async fireOneByOne(due: DueSchedule[]): Promise<ScheduledRun[]> {
    const runs: ScheduledRun[] = [];
    for (const one of due) runs.push(...(await this.fire([one])));
    return runs;
  }

  private giveUp(one: DueSchedule, error: unknown, problem: string): Promise<ScheduledRun[]> {
    this.options.onError(error, `run of schedule ${one.id}`);
    return this.fireTogether([{ ...one, job: { problem, queueName: one.job.queueName } }]);
  }
}

async function take(tx: SystemTransaction, due: DueSchedule[]): Promise<DueSchedule[]> {
  const rows = due.map(({ id, dueAt, changedAt, nextRunAt }) => ({
    id,
    due: dueAt,
    changed: changedAt,
    next: nextRunAt,
  }));
  const taken = await tx.query<{ id: string }>(takeDueSchedulesSql, [JSON.stringify(rows)]);
  const ids = new Set(taken.map(({ id }) => id));
  return due.filter(({ id }) => ids.has(id));
}

async function makeJobs(tx: SystemTransaction, taken: DueSchedule[], effects: EffectsBuilder): Promise<ScheduledRun[]> {
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

/** The command has the job's id: nobody sends it, so it needs none of its own. */
const enqueueCommand = ({ organizationId, quota }: DueSchedule, job: ScheduledJobFields): Enqueue => ({
  id: job.id,
  kind: 'job.enqueue',
  organizationId,
  ttlMs: 0,
  traceparent: null,
  body: { jobs: [scheduledJob(job)], quota, defaults: { maxRetries: 0, timeoutSeconds: 0 } },
});
