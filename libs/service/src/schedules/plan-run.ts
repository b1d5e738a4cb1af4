import type { DueScheduleRow } from '@spooled/data-access';
import { jobQuota, nextRun, planLimits, SpooledError, type PlanOverrides } from '@spooled/domain';
import { newId } from '@spooled/platform';
import type { DueSchedule } from '@spooled/queue';

/** The run of a due schedule: one job, however many times were missed, and its next time after now. */
export function planRun(schedule: DueScheduleRow, overrides: PlanOverrides): DueSchedule {
  const { id, name, organization_id: organizationId, due_at: dueAt, changed_at: changedAt } = schedule;
  const quota = jobQuota(planLimits(schedule.plan_tier, overrides, schedule.custom_limits));
  const { next, problem } = nextTime(schedule);
  const job = problem === null ? jobFields(schedule) : { problem, queueName: schedule.queue_name };
  return { id, organizationId, name, dueAt, changedAt, nextRunAt: next?.toISOString() ?? null, job, quota };
}

const jobFields = (schedule: DueScheduleRow) => ({
  id: newId(),
  queueName: schedule.queue_name,
  payload: schedule.payload,
  priority: schedule.priority,
  maxRetries: schedule.max_retries,
  timeoutSeconds: schedule.timeout_seconds,
  tags: schedule.tags,
  settings: schedule.settings,
});

/** A stored expression that is no longer valid ends its schedule, with a failed run that says why. */
function nextTime({ cron_expression, timezone, now }: DueScheduleRow): { next: Date | null; problem: string | null } {
  try {
    return { next: nextRun(cron_expression, timezone, new Date(now)), problem: null };
  } catch (error) {
    if (!(error instanceof SpooledError)) throw error;
    return { next: null, problem: error.message };
  }
}
