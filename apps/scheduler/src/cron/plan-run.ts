import type { DueScheduleRow } from '@spooled/data-access';
import { jobQuota, nextRun, planLimits, SpooledError, type PlanOverrides } from '@spooled/domain';
import { newId } from '@spooled/platform';
import type { DueSchedule } from '@spooled/queue';

/** What becomes of a schedule that is due: one job, however many times were missed, and its next time after now. */
export function planRun(schedule: DueScheduleRow, overrides: PlanOverrides): DueSchedule {
  const { id, organization_id: organizationId, due_at: dueAt, changed_at: changedAt } = schedule;
  const quota = jobQuota(planLimits(schedule.plan_tier, overrides, schedule.custom_limits));
  const { next, problem } = timeAfter(schedule);
  const job = problem === null ? jobFields(schedule) : { problem, queueName: schedule.queue_name };
  return { id, organizationId, dueAt, changedAt, nextRunAt: next?.toISOString() ?? null, job, quota };
}

const jobFields = (schedule: DueScheduleRow) => ({
  id: newId(),
  queueName: schedule.queue_name,
  payload: schedule.payload,
  priority: schedule.priority,
  maxRetries: schedule.max_retries,
  timeoutSeconds: schedule.timeout_seconds,
  tags: schedule.tags,
});

/** An expression that was accepted once and is not any more ends its schedule, with a run that says why. */
function timeAfter({ cron_expression, timezone, now }: DueScheduleRow): { next: Date | null; problem: string | null } {
  try {
    return { next: nextRun(cron_expression, timezone, new Date(now)), problem: null };
  } catch (error) {
    if (!(error instanceof SpooledError)) throw error;
    return { next: null, problem: error.message };
  }
}
