import type { conditionSchemas } from '@spooled/contracts';
import { depthOf } from './depth.js';
import { causesOf, failuresOf } from './failures.js';
import { blockingConditions, claimable } from './queue-conditions.js';
import type { QueueFacts, Trends } from './queue-facts.js';
import { risenLatency } from './risen-latencies.js';
import { at, boundedBy, counted, duration, lastHour, plural } from './wording.js';

export type OfQueue = Exclude<
  conditionSchemas.ConditionCode,
  | 'throttled'
  | 'limit_reached'
  | 'limit_near'
  | 'schedule_late'
  | 'schedule_failing'
  | 'webhook_failing'
  | 'webhook_disabled'
  | 'redis_unavailable'
  | 'scheduler_unavailable'
>;
type Found = conditionSchemas.ConditionOf<OfQueue>;

/** Thresholds of "falling behind": excess of arrivals in an hour, and number and age of waiting jobs. */
const fallingBehind = { factor: 1.1, ready: 10, seconds: 60 };
/** Jobs that wait longer than this although something works on their queue. */
const oldBacklogSeconds = 300;
/** Jobs that take this share of their timeout on average are likely to hit it. */
const slowShare = 0.8;

/**
 * All conditions that a queue is in, the most decisive first; also those that others of them explain. The only place that finds them:
 * explanations and problems are views of what it returns.
 */
export function findConditions(facts: QueueFacts, trends: Trends): Found[] {
  const { causes } = ofQueue(facts.name, trends);
  const found: (Found | null)[] = [
    // A limit that holds nothing back, or a missing worker of an empty queue, is no problem.
    ...blockingConditions(facts).filter(({ code }) => code === 'queue_paused' || claimable(facts) > 0),
    waitingForTime(facts),
    waitingForParents(facts),
    failuresOf(facts, causes),
    arrivals(facts),
    oldBacklog(facts),
    slowJobs(facts),
    ...trendConditions(facts.name, trends),
  ];
  return found.filter((one) => one !== null);
}

/** Those that need nothing but the trends of a queue. */
export function trendConditions(name: string, trends: Trends): Found[] {
  const { causes, latencies } = ofQueue(name, trends);
  const slower = risenLatency(latencies);
  return slower ? [...causesOf(causes), slower] : causesOf(causes);
}

const ofQueue = (name: string, { causes, latencies }: Trends): Trends => ({
  causes: causes.filter(({ queue_name }) => queue_name === name),
  latencies: latencies.filter(({ queue_name }) => queue_name === name),
});

/** Nothing can be claimed and nothing runs. */
const isIdle = (facts: QueueFacts): boolean => claimable(facts) === 0 && facts.state.running === 0;

function waitingForTime(facts: QueueFacts): Found | null {
  const { scheduled, retrying, next_at: nextAt } = facts.state;
  const depth = depthOf(facts);
  if (!isIdle(facts) || scheduled + retrying === 0) return null;
  return {
    code: 'all_scheduled',
    message: `No job can be claimed now: ${counted(depth.scheduled)} scheduled, ${counted(depth.retrying)} waiting to retry; the next is due at ${at(nextAt!)}.`,
    since: null,
    until: nextAt,
    details: { scheduled, retrying, next_at: nextAt },
  };
}

function waitingForParents(facts: QueueFacts): Found | null {
  const { blocked } = facts.state;
  if (!isIdle(facts) || blocked === 0) return null;
  const message = `No job can be claimed now: ${plural(boundedBy(blocked), 'job')} ${blocked === 1 ? 'waits' : 'wait'} for parents to complete.`;
  return { code: 'dependencies', message, since: null, until: null, details: { blocked } };
}

function arrivals(facts: QueueFacts): Found | null {
  const { state, hour } = facts;
  const { created, completed, deadlettered } = hour;
  const { ready, waiting_seconds: waiting } = state;
  const finished = completed + deadlettered;
  if (ready < fallingBehind.ready || (waiting ?? 0) < fallingBehind.seconds) return null;
  if (created <= fallingBehind.factor * finished) return null;
  return {
    code: 'falling_behind',
    message: `${plural(created, 'job')} arrived in ${lastHour(hour)} and ${counted(finished)} ended; ${counted(depthOf(facts).ready)} are claimable.`,
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

function oldBacklog({ state }: QueueFacts): Found | null {
  const { waiting_seconds: waiting, ready } = state;
  if (waiting === null || waiting < oldBacklogSeconds) return null;
  return {
    code: 'backlog_old',
    message: `A job has waited for ${duration(waiting)}; more than ${duration(oldBacklogSeconds)} counts as long.`,
    since: null,
    until: null,
    details: { oldest_waiting_seconds: waiting, ready },
  };
}
