import type { conditionSchemas } from '@spooled/contracts';
import { depthOf } from './depth.js';
import { causesOf, failuresOf } from './failures.js';
import { blockingConditions, claimable } from './queue-conditions.js';
import type { QueueFacts, Trends } from './queue-facts.js';
import { at, boundedBy, counted, duration, lastHour, milliseconds, plural } from './wording.js';
import type { LatencyCount } from '@spooled/data-access';
import { type Percentiles, percentilesOf } from '@spooled/domain';

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
    // A limit that holds nothing back, or a missing worker of an empty queue, is no problem. No job is counted during a deletion.
    ...blockingConditions(facts).filter(({ code }) => lasting.has(code) || claimable(facts) > 0),
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

/** Those of a queue as a whole, whether or not jobs wait. */
const lasting: ReadonlySet<string> = new Set(['queue_paused', 'queue_deletion'] satisfies OfQueue[]);

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
  const { created, completed, deadlettered, cancelled } = hour;
  const { ready, waiting_seconds: waiting } = state;
  const finished = completed + deadlettered + cancelled;
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

type Risen = conditionSchemas.ConditionOf<'latency_risen'>;
type What = 'wait' | 'run';

/**
 * When a time counts as risen: so many jobs in the last ten minutes and in the day before, so many times its 95th percentile, more than
 * the 1.78 by which each of the two may be off, and at least so long.
 */
const risen = { jobs: 50, jobsBefore: 200, factor: 3.5, leastMs: { wait: 5_000, run: 1_000 } };

/** Jobs of a queue that run or wait longer than in the day before; one of both, because jobs that run longer make others wait. */
function risenLatency(counts: LatencyCount[]): Risen | null {
  for (const measure of ['run', 'wait'] as const) {
    const [now, before] = [true, false].map((isRecent) => percentilesOfPart(counts, measure, isRecent));
    if (hasRisen(measure, now!, before!)) return conditionOf(measure, now!.p95, before!.p95);
  }
  return null;
}

const percentilesOfPart = (counts: LatencyCount[], what: What, isRecent: boolean): Percentiles | null => {
  const own = counts.filter(({ is_run, is_recent }) => is_run === (what === 'run') && is_recent === isRecent);
  return percentilesOf(new Map(own.map(({ bucket, jobs }) => [bucket, jobs])));
};

const hasRisen = (what: What, now: Percentiles | null, before: Percentiles | null): boolean =>
  now !== null &&
  before !== null &&
  now.count >= risen.jobs &&
  before.count >= risen.jobsBefore &&
  now.p95 >= risen.leastMs[what] &&
  now.p95 >= risen.factor * before.p95;

function conditionOf(measure: What, nowMs: number, beforeMs: number): Risen {
  const did = measure === 'run' ? 'ran' : 'waited';
  return {
    code: 'latency_risen',
    message: `5 % of the jobs of the last 10 minutes ${did} ${milliseconds(nowMs)} or longer; in the day before it was ${milliseconds(beforeMs)}.`,
    since: null,
    until: null,
    details: { measure, p95_ms: Math.round(nowMs), p95_ms_day_before: Math.round(beforeMs) },
  };
}
