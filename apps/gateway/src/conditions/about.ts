import type { conditionSchemas, explainSchemas, problemSchemas } from '@spooled/contracts';

type Code = conditionSchemas.ConditionCode;
type Condition = conditionSchemas.Condition;

/** How a condition is judged. */
interface About {
  /** Of a queue that it holds for; null: it is not one of a queue. */
  status: explainSchemas.QueueExplanation['status'] | null;
  /** Null: it is no problem, but how the queue is meant to be. */
  severity: problemSchemas.Problem['severity'] | null;
  action: string;
}

/** The only declaration of how bad each condition is, and of what can be done about it. */
const judgements: Record<Code, About> = {
  queue_paused: {
    status: 'stopped',
    severity: 'critical',
    action: 'Resume the queue: POST /api/v1/queues/{name}/resume.',
  },
  queue_deletion: {
    status: 'waiting',
    severity: 'info',
    action: 'None: the deletion is in progress; see GET /api/v1/operations.',
  },
  receiver_unavailable: {
    status: 'stopped',
    severity: 'critical',
    action: 'Check that settings.callback_url responds; calls continue by themselves with its first response.',
  },
  no_workers: {
    status: 'stopped',
    severity: 'critical',
    action: 'Start a worker for this queue, or look at the log of those that stopped.',
  },
  no_claims: {
    status: 'stopped',
    severity: 'critical',
    action:
      'Check that the workers claim from this queue and have free slots; for a push queue, that the webhooks service runs.',
  },
  all_scheduled: { status: 'waiting', severity: null, action: 'None: the jobs start when they are due.' },
  dependencies: {
    status: 'waiting',
    severity: null,
    action: 'See GET /api/v1/jobs/{id}/explain of a job for the parents it waits for.',
  },
  cause_new: {
    status: 'degraded',
    severity: 'warning',
    action: 'See GET /api/v1/jobs/dlq/groups/{id} for the error; replay the jobs when it is fixed.',
  },
  cause_growing: {
    status: 'degraded',
    severity: 'warning',
    action: 'See GET /api/v1/jobs/dlq/groups/{id} for the error; replay the jobs when it is fixed.',
  },
  failing: {
    status: 'degraded',
    severity: 'warning',
    action: 'See GET /api/v1/jobs/dlq/groups for the errors, and fix the most frequent one.',
  },
  failures_risen: {
    status: 'degraded',
    severity: 'warning',
    action: 'See GET /api/v1/jobs/dlq/groups for the errors, and look for what changed.',
  },
  falling_behind: {
    status: 'degraded',
    severity: 'warning',
    action: 'Add workers or concurrency, or create fewer jobs.',
  },
  backlog_old: {
    status: 'degraded',
    severity: 'warning',
    action: 'Add workers or concurrency, or create fewer jobs.',
  },
  latency_risen: {
    status: 'degraded',
    severity: 'warning',
    action: 'See GET /api/v1/series for the times of the queue, and look for what changed.',
  },
  slow_jobs: {
    status: 'degraded',
    severity: 'warning',
    action: 'Raise default_timeout of the queue, or split its jobs.',
  },
  concurrency_limit: {
    status: 'limited',
    severity: 'info',
    action: 'Raise settings.concurrency of the queue if more may run at once.',
  },
  push_call_limit: {
    status: 'limited',
    severity: 'info',
    action: 'Choose a larger plan, or have the receivers answer sooner: a call counts until they do.',
  },
  no_free_push_call: {
    status: 'degraded',
    severity: 'warning',
    action:
      'None: the jobs are called when calls end. Operators can raise PUSH_MAX_CONCURRENT_CALLS or add replicas of the webhooks service.',
  },
  rate_limit: {
    status: 'limited',
    severity: 'info',
    action: 'Raise rate_limit of the queue if it may go faster.',
  },
  throttled: {
    status: 'limited',
    severity: 'info',
    action: 'None: it ends by itself; earlier with DELETE /api/v1/throttles/{id}.',
  },
  limit_reached: {
    status: 'degraded',
    severity: 'critical',
    action: 'New jobs are refused; choose a larger plan or wait.',
  },
  limit_near: { status: null, severity: 'warning', action: 'Compare the usage with the plan.' },
  schedule_late: { status: null, severity: 'warning', action: 'Run it now: POST /api/v1/schedules/{id}/trigger.' },
  schedule_failing: {
    status: null,
    severity: 'warning',
    action: 'See GET /api/v1/schedules/{id}/history for its runs.',
  },
  webhook_failing: {
    status: null,
    severity: 'warning',
    action: 'Send a test: POST /api/v1/outgoing-webhooks/{id}/test.',
  },
  webhook_disabled: {
    status: null,
    severity: 'critical',
    action: 'Enable it when its receiver responds: PUT /api/v1/outgoing-webhooks/{id}.',
  },
  redis_unavailable: { status: null, severity: 'warning', action: 'Check Redis and the network.' },
  scheduler_unavailable: { status: null, severity: 'critical', action: 'Check the scheduler and its log.' },
};

const expiringPause: About = {
  status: 'waiting',
  severity: 'warning',
  action: 'None: the queue is resumed automatically then; earlier with POST /api/v1/queues/{name}/resume.',
};

const mutedCause: About = {
  status: null,
  severity: null,
  action: 'None: the cause is muted; see GET /api/v1/jobs/dlq/causes for the reason.',
};

/** Whether it is a cause of failures that nobody has to look at now. */
export const isMuted = ({ details }: Condition): boolean => 'muted_until' in details && details.muted_until !== null;

export function about(condition: Condition): About {
  const { code } = condition;
  if (isMuted(condition)) return mutedCause;
  if (code === 'queue_paused' && condition.until !== null) return expiringPause;
  if (code === 'webhook_failing' && condition.details.is_near_end) return { ...judgements[code], severity: 'critical' };
  return judgements[code];
}

/** Conditions under which nothing of a queue is processed. */
const stops = ['queue_paused', 'queue_deletion', 'receiver_unavailable', 'no_workers', 'no_claims'] as const;
const limits = ['concurrency_limit', 'push_call_limit', 'no_free_push_call', 'rate_limit'] as const;

/** Which conditions of the same queue another one explains. */
const explained: Partial<Record<Code, readonly Code[]>> = {
  ...Object.fromEntries(stops.map((code) => [code, ['falling_behind', 'backlog_old', 'latency_risen']])),
  ...Object.fromEntries(limits.map((code) => [code, ['latency_risen']])),
  falling_behind: ['backlog_old', 'latency_risen'],
  backlog_old: ['latency_risen'],
  slow_jobs: ['latency_risen'],
  cause_new: ['failing', 'failures_risen'],
  cause_growing: ['failing', 'failures_risen'],
  scheduler_unavailable: ['schedule_late'],
};

/** Slow jobs explain that jobs run longer, and everything else that they wait longer. A muted cause explains nothing. */
const explains = (one: Condition, other: Condition): boolean =>
  !isMuted(one) &&
  (explained[one.code]?.includes(other.code) ?? false) &&
  (other.code !== 'latency_risen' || (other.details.measure === 'run') === (one.code === 'slow_jobs'));

/** Separates conditions from those that others of them explain. */
export function foldConsequences<C extends Condition>(found: C[]): { causes: C[]; consequences: Consequence<C>[] } {
  const consequences = found.flatMap((condition) => {
    const cause = found.find((other) => explains(other, condition));
    return cause ? [{ cause, condition }] : [];
  });
  const folded = new Set(consequences.map(({ condition }) => condition));
  return { causes: found.filter((one) => !folded.has(one)), consequences };
}

interface Consequence<C> {
  cause: C;
  condition: C;
}
