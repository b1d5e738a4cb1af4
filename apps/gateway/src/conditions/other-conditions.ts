import type { conditionSchemas } from '@spooled/contracts';
import type { LastSampleRow, PlanUsageRow, SuspectSchedule, SuspectWebhook, ThrottleRow } from '@spooled/data-access';
import { disablesAt, type PlanLimits } from '@spooled/domain';
import { at } from './wording.js';

type ConditionOf<Code extends conditionSchemas.ConditionCode> = conditionSchemas.ConditionOf<Code>;

/** Usage of a limit that is worth a warning; as in the usage of an organization. */
const nearShare = 0.8;

export interface PlanFacts {
  limits: Pick<PlanLimits, 'max_jobs_per_day' | 'max_active_jobs'>;
  used: PlanUsageRow;
}

/** A schedule that is late or failed at its last run. */
export function scheduleCondition(schedule: SuspectSchedule): ConditionOf<'schedule_late' | 'schedule_failing'> {
  const { name, next_run_at: next, failed_at: failedAt, error } = schedule;
  if (schedule.is_late) {
    return {
      code: 'schedule_late',
      message: `It was due at ${at(next!)} and has not run; schedules run while a scheduler does.`,
      since: next,
      until: null,
      details: { name, due_at: next! },
    };
  }
  return {
    code: 'schedule_failing',
    message: `Its last run failed: ${error ?? 'for an unknown reason'}.`,
    since: failedAt,
    until: null,
    details: { name, error: error ?? null },
  };
}

/** A webhook whose receiver fails. */
export function webhookCondition(
  {
    name,
    enabled,
    failure_count,
    failing_since: failingSince,
    last_triggered_at: disabledAt,
    is_near_end,
  }: SuspectWebhook,
  disableAfterSeconds: number,
): ConditionOf<'webhook_failing' | 'webhook_disabled'> {
  const details = { name, failed_deliveries: failure_count };
  const failures = failingSince ? `no delivery has succeeded since ${at(failingSince)}` : 'its deliveries failed';
  if (!enabled) {
    const message = `It was disabled because ${failures}; nothing is sent until it is enabled.`;
    return { code: 'webhook_disabled', message, since: disabledAt, until: null, details };
  }
  const disablesAtTime = failingSince === null ? null : disablesAt(failingSince, disableAfterSeconds);
  const end = disablesAtTime === null ? '' : `; unless one does, it is disabled at ${at(disablesAtTime)}`;
  return {
    code: 'webhook_failing',
    message: `${failures[0]!.toUpperCase()}${failures.slice(1)}${end}.`,
    since: failingSince,
    until: null,
    details: { ...details, disables_at: disablesAtTime, is_near_end },
  };
}

/** A limit of new jobs that an operator has set. */
export function throttleCondition(throttle: ThrottleRow): ConditionOf<'throttled'> {
  const {
    id,
    api_key_id,
    api_key_name,
    queue_name: queue,
    tag_name,
    tag_value,
    per_second,
    created_at,
    expires_at,
  } = throttle;
  const tag = tag_name === null ? null : { name: tag_name, value: tag_value };
  const who = api_key_id === null ? '' : ` of the key ${api_key_name ?? api_key_id}`;
  const which = tag === null ? '' : ` with the tag ${tag.name}${tag.value === null ? '' : `=${tag.value}`}`;
  const where = queue === null ? '' : ` in the queue ${queue}`;
  return {
    code: 'throttled',
    message: `New jobs${who}${where}${which} beyond ${per_second} per second are refused until ${at(expires_at)}.`,
    since: created_at,
    until: expires_at,
    details: {
      throttle_id: id,
      limit_per_second: per_second,
      api_key_id,
      api_key_name: api_key_name ?? null,
      tag,
    },
  };
}

/** Limits of the plan that refuse jobs now. */
export const reachedLimits = (plan: PlanFacts): ConditionOf<'limit_reached'>[] =>
  limitConditions(plan).filter((one) => one.code === 'limit_reached');

export function limitConditions({ limits, used }: PlanFacts): ConditionOf<'limit_reached' | 'limit_near'>[] {
  const resources = [
    ['jobs_per_day', 'jobs a day', limits.max_jobs_per_day, used.jobs_today, used.tomorrow],
    ['active_jobs', 'active jobs', limits.max_active_jobs, used.active_jobs, null],
  ] as const;
  return resources.flatMap(([resource, what, limit, count, until]) => {
    if (limit === null || count < nearShare * limit) return [];
    const isReached = count >= limit;
    const share = `${count.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${what} of the plan are used`;
    const end = until === null ? 'until some have ended' : `until ${at(until)}`;
    return [
      {
        code: isReached ? ('limit_reached' as const) : ('limit_near' as const),
        message: isReached ? `${share}; new jobs are refused ${end}.` : `${share}.`,
        since: null,
        until: isReached ? until : null,
        details: { resource, limit, used: count },
      },
    ];
  });
}

/** Parts of the installation that are unavailable. @param redis whether it responds; undefined = there is none */
export function platformConditions(
  redis: boolean | undefined,
  sample: LastSampleRow,
): ConditionOf<'redis_unavailable' | 'scheduler_unavailable'>[] {
  const found: ConditionOf<'redis_unavailable' | 'scheduler_unavailable'>[] = [];
  if (sample.is_old) {
    found.push({
      code: 'scheduler_unavailable',
      message: `The last one was seen at ${at(sample.at!)}; schedules, retries that are due and lost leases wait.`,
      since: sample.at,
      until: null,
      details: { last_seen: sample.at! },
    });
  }
  if (redis === false) {
    found.push({
      code: 'redis_unavailable',
      message: 'Jobs are created and processed without it, more slowly and without live events.',
      since: null,
      until: null,
      details: {},
    });
  }
  return found;
}
