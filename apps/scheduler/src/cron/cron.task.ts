import { Inject, Injectable } from '@nestjs/common';
import { Database, findDueSchedules } from '@spooled/data-access';
import type { PlanOverrides } from '@spooled/domain';
import { METRICS } from '@spooled/platform';
import { type DeadlineTask, Deadlines, type DueSchedule, ScheduleFiring } from '@spooled/queue';
import type { SchedulerMetrics } from '../scheduler.config.js';
import { PayloadContracts, PLAN_OVERRIDES } from '@spooled/service';
import { planRun } from './plan-run.js';

/**
 * Fires schedules on time, including those with seconds: runs when the next one is due; a sweep every 10 s is the
 * safety net (SP-24, SP-32, MQ-22). All times missed during downtime are made up for by one run.
 */
@Injectable()
export class CronTask implements DeadlineTask {
  readonly name = 'cron';
  readonly fullBatch = 100;

  constructor(
    private readonly db: Database,
    private readonly firing: ScheduleFiring,
    private readonly deadlines: Deadlines,
    private readonly contracts: PayloadContracts,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
    @Inject(METRICS) private readonly metrics: SchedulerMetrics,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilSchedule();
  }

  async run(): Promise<number> {
    const due = await this.db.asSystem('find due schedules', (tx) => findDueSchedules(tx, this.fullBatch));
    const planned: DueSchedule[] = [];
    for (const schedule of due) {
      const run = planRun(schedule, this.overrides);
      planned.push(schedule.has_contract ? await this.checked(run) : run);
    }
    const runs = await this.firing.fire(planned);
    const dueAt = new Map(due.map(({ id, due_at, now }) => [id, Date.parse(now) - Date.parse(due_at)]));
    for (const { scheduleId, jobId } of runs) {
      this.metrics.scheduleRuns.inc({ outcome: jobId === null ? 'failed' : 'completed' });
      this.metrics.scheduleDelay.observe((dueAt.get(scheduleId) ?? 0) / 1000);
      if (jobId !== null) this.metrics.jobsEnqueued.inc();
    }
    return runs.length;
  }

  /** A run whose payload violates the contract of its queue fails with the reason, and the schedule goes on (BX-09). */
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
