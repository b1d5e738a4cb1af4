import { type Database, findDueSchedules } from '@spooled/data-access';
import type { PlanOverrides } from '@spooled/domain';
import type { DueSchedule, ScheduleFiring } from '@spooled/queue';
import type { PayloadContracts } from '../payload-contracts/payload-contracts.js';
import { planRun } from './plan-run.js';

/** A run that this process has recorded. */
export interface FiredRun {
  /** Null if the run created no job. */
  jobId: string | null;
  /** Milliseconds between the time of the schedule and the run. */
  delayMs: number;
}

/** Fires schedules that are due. All times missed during downtime are made up for by one run (SP-24, SP-32, MQ-22). */
export class DueSchedules {
  constructor(
    private readonly db: Database,
    private readonly firing: ScheduleFiring,
    private readonly contracts: PayloadContracts,
    private readonly overrides: PlanOverrides,
  ) {}

  /** @returns at most `limit` runs, the longest overdue first; none of organizations that wait for locks. @throws SpooledError 503 */
  async fire(limit: number): Promise<FiredRun[]> {
    const due = await this.db.asSystem('find due schedules', (tx) => findDueSchedules(tx, limit, this.firing.blocked));
    const planned: DueSchedule[] = [];
    for (const schedule of due) {
      const run = planRun(schedule, this.overrides);
      planned.push(schedule.has_contract ? await this.checked(run) : run);
    }
    const runs = await this.firing.fire(planned);
    const delays = new Map(due.map(({ id, due_at, now }) => [id, Date.parse(now) - Date.parse(due_at)]));
    return runs.map(({ scheduleId, jobId }) => ({ jobId, delayMs: delays.get(scheduleId) ?? 0 }));
  }

  /** A run whose payload violates the contract of its queue fails with the reason, and the schedule continues (BX-09). */
  private async checked(run: DueSchedule): Promise<DueSchedule> {
    const { job, organizationId } = run;
    if ('problem' in job) return run;
    const { queueName } = job;
    const value = () => JSON.parse(job.payload) as unknown;
    const payload = { queueName, path: 'payload_template', value, text: () => job.payload };
    const problem = await this.contracts.problemOf({ organizationId }, payload);
    return problem === null ? run : { ...run, job: { problem, queueName } };
  }
}
