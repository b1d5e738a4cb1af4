import type { conditionSchemas, problemSchemas } from '@spooled/contracts';

type Condition = conditionSchemas.Condition;
type Place = problemSchemas.Place;

/** What the age of failures is taken to be: that of the hour in which they are counted. */
const hourSeconds = 3_600;

/** What a condition holds for. */
export interface Where {
  queue?: string | null;
  schedule?: string;
  webhook?: string;
  /** Claimable jobs of the queue, and for how long the first has waited. */
  ready?: Amount;
}

interface Amount {
  jobs: number;
  /** The queue has more. */
  atLeast?: boolean;
  seconds: number;
}

/** A condition with where it holds, how much harm it does and the request that helps. @param now as the database has it */
export function placeOf(condition: Condition, where: Where, now: string): Place {
  const { queue = null, schedule = null, webhook = null, ready } = where;
  const amount = harmed(condition, ready, now);
  return {
    queue,
    schedule,
    webhook,
    jobs: amount?.jobs ?? null,
    at_least: amount?.atLeast ?? false,
    harm: amount && Math.round(amount.jobs * amount.seconds),
    condition,
    request: requestOf(condition, where),
  };
}

/** Jobs that suffer, and for how long; those that wait, unless the condition counts others. */
function harmed(condition: Condition, ready: Amount | undefined, now: string): Amount | null {
  switch (condition.code) {
    case 'failing':
    case 'failures_risen':
      return { jobs: condition.details.failed_attempts_last_hour, seconds: hourSeconds };
    case 'cause_new':
    case 'cause_growing': {
      const since = condition.since === null ? Infinity : (Date.parse(now) - Date.parse(condition.since)) / 1_000;
      // In minutes, so that causes which began together keep their order from one reading to the next.
      const seconds = 60 * Math.max(1, Math.floor(since / 60));
      return { jobs: condition.details.dead_letters_last_hour, seconds: Math.min(hourSeconds, seconds) };
    }
    default:
      return ready ?? null;
  }
}

function requestOf({ code, details }: Condition, { queue, schedule, webhook }: Where): Place['request'] {
  const ofQueue = `/api/v1/queues/${encodeURIComponent(queue ?? '')}`;
  switch (code) {
    case 'queue_paused':
      return { method: 'POST', path: `${ofQueue}/resume` };
    case 'slow_jobs':
    case 'concurrency_limit':
    case 'rate_limit':
      return { method: 'PUT', path: `${ofQueue}/config` };
    case 'throttled':
      return { method: 'DELETE', path: `/api/v1/throttles/${details.throttle_id}` };
    case 'schedule_late':
      return { method: 'POST', path: `/api/v1/schedules/${schedule}/trigger` };
    case 'webhook_failing':
      return { method: 'POST', path: `/api/v1/outgoing-webhooks/${webhook}/test` };
    case 'webhook_disabled':
      return { method: 'PUT', path: `/api/v1/outgoing-webhooks/${webhook}` };
    default:
      return null;
  }
}
