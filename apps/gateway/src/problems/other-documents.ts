import type { problemSchemas } from '@spooled/contracts';
import type { LastSampleRow, PlanUsageRow, SuspectSchedule, SuspectWebhook } from '@spooled/data-access';
import { disablesAt, type PlanLimits } from '@spooled/domain';
import { at } from '../explain/wording.js';

type Problem = problemSchemas.Problem;

/** Usage of a limit that is worth a warning; as in the usage of an organization. */
const nearShare = 0.8;

const ofNothing = { queue: null, schedule: null, webhook: null } as const;

/** A schedule that is late or failed at its last run. */
export function problemOfSchedule(schedule: SuspectSchedule): Problem {
  const { id, name, queue_name: queue, next_run_at: next } = schedule;
  const of = { severity: 'warning', queue, schedule: id, webhook: null } as const;
  if (schedule.is_late) {
    return {
      ...of,
      code: 'schedule_late',
      title: `Schedule ${name} is late`,
      detail: `It was due at ${at(next!)} and has not run; schedules run while a scheduler does.`,
      since: next,
      action: {
        label: 'Run it now',
        method: 'POST',
        path: `/api/v1/schedules/${id}/trigger`,
        screen: 'schedule',
      },
    };
  }
  return {
    ...of,
    code: 'schedule_failing',
    title: `Schedule ${name} failed`,
    detail: `Its last run failed: ${schedule.error ?? 'for an unknown reason'}.`,
    since: schedule.failed_at,
    action: { label: 'Look at its runs', method: null, path: null, screen: 'schedule' },
  };
}

/** A webhook whose receiver fails; critical when half of the time until it is disabled has passed. */
export function problemOfWebhook(webhook: SuspectWebhook, disableAfterSeconds: number): Problem {
  const { id, name, enabled, failing_since: failingSince, last_triggered_at: disabledAt } = webhook;
  const of = { queue: null, schedule: null, webhook: id, since: enabled ? failingSince : disabledAt } as const;
  const path = `/api/v1/outgoing-webhooks/${id}`;
  const failures = failingSince ? `no delivery has succeeded since ${at(failingSince)}` : 'its deliveries failed';
  const end = failingSince
    ? `; unless one does, it is disabled at ${at(disablesAt(failingSince, disableAfterSeconds))}`
    : '';
  return enabled
    ? {
        ...of,
        code: 'webhook_failing',
        severity: webhook.is_near_end ? 'critical' : 'warning',
        title: `Webhook ${name} fails`,
        detail: `${failures[0]!.toUpperCase()}${failures.slice(1)}${end}.`,
        action: { label: 'Send a test', method: 'POST', path: `${path}/test`, screen: 'webhook' },
      }
    : {
        ...of,
        code: 'webhook_disabled',
        severity: 'critical',
        title: `Webhook ${name} was disabled`,
        detail: `It was disabled because ${failures}; nothing is sent until it is enabled.`,
        action: { label: 'Enable it', method: 'PUT', path, screen: 'webhook' },
      };
}

/** Limits of the plan that are reached or near. */
export function problemsOfLimits(
  limits: Pick<PlanLimits, 'max_jobs_per_day' | 'max_active_jobs'>,
  used: PlanUsageRow,
): Problem[] {
  const resources = [
    ['jobs a day', limits.max_jobs_per_day, used.jobs_today, `until ${at(used.tomorrow)}`],
    ['active jobs', limits.max_active_jobs, used.active_jobs, 'until some have ended'],
  ] as const;
  return resources.flatMap(([what, limit, count, until]): Problem[] => {
    if (limit === null || count < nearShare * limit) return [];
    const isReached = count >= limit;
    const detail = `${count.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${what} are used`;
    return [
      {
        ...ofNothing,
        code: isReached ? 'limit_reached' : 'limit_near',
        severity: isReached ? 'critical' : 'warning',
        title: isReached ? `The limit of ${what} is reached` : `The limit of ${what} is near`,
        detail: isReached ? `${detail}; new jobs are refused ${until}.` : `${detail}.`,
        since: null,
        action: { label: 'Compare plans and usage', method: null, path: null, screen: 'limits' },
      },
    ];
  });
}

/** Parts of the installation that are away. @param redis whether it responds; undefined = there is none */
export function problemsOfPlatform(redis: boolean | undefined, sample: LastSampleRow): Problem[] {
  const action = { label: 'Look at the services', method: null, path: null, screen: 'platform' } as const;
  const found: Problem[] = [];
  if (redis === false) {
    found.push({
      ...ofNothing,
      code: 'redis_unavailable',
      severity: 'warning',
      title: 'Redis does not respond',
      detail: 'Jobs are created and processed without it, more slowly and without live events.',
      since: null,
      action,
    });
  }
  if (sample.is_old) {
    found.push({
      ...ofNothing,
      code: 'scheduler_unavailable',
      severity: 'critical',
      title: 'No scheduler runs',
      detail: `The last one was seen at ${at(sample.at!)}; schedules, retries that are due and lost leases wait.`,
      since: sample.at,
      action,
    });
  }
  return found;
}
