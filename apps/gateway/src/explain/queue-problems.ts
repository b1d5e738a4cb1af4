import type { explainSchemas } from '@spooled/contracts';
import type { PlanUsageRow } from '@spooled/data-access';
import type { PlanLimits } from '@spooled/domain';
import { failedAttempts, toLastMinute } from '../figures/rates.js';
import { claimable, conditionsOf, finishedLastHour } from './queue-conditions.js';
import type { QueueFacts } from './queue-facts.js';
import { depthOf } from './depth.js';
import { secondsToDrain } from './throughput.js';
import { at, counted, lastHour, plural } from './wording.js';

type Problem = explainSchemas.QueueProblem;
type Explanation = explainSchemas.QueueExplanation;
/** A problem without its action. */
type Found = Problem extends infer P ? (P extends Problem ? Omit<P, 'action'> : never) : never;

export interface PlanFacts {
  limits: Pick<PlanLimits, 'max_jobs_per_day' | 'max_active_jobs'>;
  used: PlanUsageRow;
}

/** A share of failures that is worth attention, and the attempts that it takes to say so. */
const failing = { share: 0.5, attempts: 5 };
/** Thresholds of "falling behind": excess of arrivals in an hour, and number and age of waiting jobs. */
const fallingBehind = { factor: 1.1, ready: 10, seconds: 60 };
/** Jobs that take this share of their timeout on average are likely to hit it. */
const slowShare = 0.8;

const statuses = ['ok', 'limited', 'degraded', 'waiting', 'stopped'] as const;

const about: Record<Problem['code'], { status: Explanation['status']; action: string }> = {
  queue_paused: { status: 'stopped', action: 'Resume the queue: POST /api/v1/queues/{name}/resume.' },
  queue_deletion: { status: 'waiting', action: 'None: the deletion is in progress; see GET /api/v1/operations.' },
  receiver_unavailable: {
    status: 'stopped',
    action: 'Check that settings.callback_url responds; calls continue by themselves with its first response.',
  },
  no_workers: { status: 'stopped', action: 'Start a worker for this queue, or look at the log of those that stopped.' },
  no_claims: {
    status: 'stopped',
    action:
      'Check that the workers claim from this queue and have free slots; for a push queue, that the webhooks service runs.',
  },
  all_scheduled: { status: 'waiting', action: 'None: the jobs start when they are due.' },
  dependencies: {
    status: 'waiting',
    action: 'See GET /api/v1/jobs/{id}/explain of a job for the parents it waits for.',
  },
  failing: {
    status: 'degraded',
    action: 'See GET /api/v1/jobs/dlq/groups for the errors, and fix the most frequent one.',
  },
  falling_behind: { status: 'degraded', action: 'Add workers or concurrency, or create fewer jobs.' },
  slow_jobs: { status: 'degraded', action: 'Raise default_timeout of the queue, or split its jobs.' },
  plan_limit: { status: 'degraded', action: 'New jobs are refused; choose a larger plan or wait.' },
  concurrency_limit: { status: 'limited', action: 'Raise settings.concurrency of the queue if more may run at once.' },
  push_call_limit: {
    status: 'limited',
    action: 'Choose a larger plan, or have the receivers answer sooner: a call counts until they do.',
  },
  no_free_push_call: {
    status: 'degraded',
    action:
      'None: the jobs are called when calls end. Operators can raise PUSH_MAX_CONCURRENT_CALLS or add replicas of the webhooks service.',
  },
  rate_limit: { status: 'limited', action: 'Raise rate_limit of the queue if it may go faster.' },
};

const expiringPause: (typeof about)[Problem['code']] = {
  status: 'waiting',
  action: 'None: the queue is resumed automatically then; earlier with POST /api/v1/queues/{name}/resume.',
};

const aboutProblem = ({ code, until }: Pick<Problem, 'code' | 'until'>) =>
  code === 'queue_paused' && until !== null ? expiringPause : about[code];

/** What keeps a queue from moving, or from moving as it should. */
export function explainQueue(facts: QueueFacts, plan: PlanFacts): Omit<Explanation, 'not_checked'> {
  const { state, hour } = facts;
  const found: Found[] = [
    // A limit that holds nothing back, or a missing worker of an empty queue, is no problem.
    ...conditionsOf(facts).filter(({ code }) => code === 'queue_paused' || claimable(facts) > 0),
    waitingForTime(facts),
    waitingForParents(facts),
    failures(facts),
    arrivals(facts),
    slowJobs(facts),
    ...planLimits(plan),
  ].filter((one) => one !== null);
  const problems = found.map((one) => ({ ...one, action: aboutProblem(one).action }) as Problem);
  const worst = Math.max(0, ...problems.map((one) => statuses.indexOf(aboutProblem(one).status)));
  const { healthy, degraded, draining, offline, last_heartbeat, last_started_at } = state;
  return {
    queue_name: facts.name,
    status: statuses[worst]!,
    problems,
    jobs: {
      ...depthOf(facts),
      oldest_ready_seconds: state.oldest_seconds,
    },
    rates: {
      created_last_hour: hour.created,
      completed_last_hour: hour.completed,
      failed_attempts_last_hour: failedAttempts(hour),
      covered_seconds: hour.covered_seconds,
      last_minute: toLastMinute(facts.minute),
      average_run_ms: facts.averageRunMs,
      seconds_to_drain: secondsToDrain(facts),
    },
    workers: { healthy, degraded, draining, offline, last_heartbeat, last_started_at },
    checked_at: state.checked_at,
  };
}

/** Nothing can be claimed and nothing runs. */
const isIdle = (facts: QueueFacts): boolean => claimable(facts) === 0 && facts.state.running === 0;

function waitingForTime(facts: QueueFacts): Found | null {
  const { scheduled, retrying, next_at: nextAt } = facts.state;
  if (!isIdle(facts) || scheduled + retrying === 0) return null;
  return {
    code: 'all_scheduled',
    message: `No job can be claimed now: ${counted(scheduled)} scheduled, ${counted(retrying)} waiting to retry; the next is due at ${at(nextAt!)}.`,
    since: null,
    until: nextAt,
    details: { scheduled, retrying, next_at: nextAt },
  };
}

function waitingForParents(facts: QueueFacts): Found | null {
  const { blocked } = facts.state;
  if (!isIdle(facts) || blocked === 0) return null;
  const message = `No job can be claimed now: ${plural(blocked, 'job')} ${blocked === 1 ? 'waits' : 'wait'} for parents to complete.`;
  return { code: 'dependencies', message, since: null, until: null, details: { blocked } };
}

function failures(facts: QueueFacts): Found | null {
  const [failed, all] = [failedAttempts(facts.hour), finishedLastHour(facts)];
  if (failed < failing.attempts || failed < failing.share * all) return null;
  const share = failed / all;
  return {
    code: 'failing',
    message: `${plural(failed, 'attempt')} of ${all.toLocaleString('en-US')} in ${lastHour(facts.hour)} failed (${Math.round(share * 100)} %).`,
    since: null,
    until: null,
    details: {
      failed_attempts_last_hour: failed,
      completed_last_hour: facts.hour.completed,
      failure_share: share,
    },
  };
}

function arrivals({ state, hour }: QueueFacts): Found | null {
  const { created, completed, deadlettered } = hour;
  const { ready, waiting_seconds: waiting } = state;
  const finished = completed + deadlettered;
  if (ready < fallingBehind.ready || (waiting ?? 0) < fallingBehind.seconds) return null;
  if (created <= fallingBehind.factor * finished) return null;
  return {
    code: 'falling_behind',
    message: `${plural(created, 'job')} arrived in ${lastHour(hour)} and ${counted(finished)} ended; ${counted(ready)} are claimable.`,
    since: null,
    until: null,
    details: { created_last_hour: created, finished_last_hour: finished, ready },
  };
}

function slowJobs({ state, averageRunMs: runMs }: QueueFacts): Found | null {
  const { timeout_seconds: timeoutSeconds } = state;
  if (runMs === null || runMs < slowShare * timeoutSeconds * 1000) return null;
  return {
    code: 'slow_jobs',
    message: `Jobs run for ${(runMs / 1000).toFixed(1)} s on average, and the queue's timeout is ${timeoutSeconds} s.`,
    since: null,
    until: null,
    details: { average_run_ms: runMs, timeout_seconds: timeoutSeconds },
  };
}

function planLimits({ limits, used }: PlanFacts): Found[] {
  const resources = [
    { resource: 'jobs_per_day', limit: limits.max_jobs_per_day, used: used.jobs_today, until: used.tomorrow },
    { resource: 'active_jobs', limit: limits.max_active_jobs, used: used.active_jobs, until: null },
  ] as const;
  return resources.flatMap(({ resource, limit, used, until }) => {
    if (limit === null || used < limit) return [];
    const what = resource === 'jobs_per_day' ? 'jobs a day' : 'active jobs';
    const message = `The organization has reached its plan's limit of ${limit.toLocaleString('en-US')} ${what}; new jobs are refused.`;
    return [{ code: 'plan_limit' as const, message, since: null, until, details: { resource, limit, used } }];
  });
}
