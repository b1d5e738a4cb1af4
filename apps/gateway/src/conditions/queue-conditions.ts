import { type conditionSchemas, parseActor } from '@spooled/contracts';
import { failedAttempts } from '../figures/rates.js';
import type { QueueFacts } from './queue-facts.js';
import { at, boundedBy, duration, lastHour, later, plural } from './wording.js';

/** Conditions that hold back every job of a queue; a job's reasons and a queue's problems share them. */
export type QueueCondition = conditionSchemas.ConditionOf<
  | 'queue_paused'
  | 'queue_deletion'
  | 'receiver_unavailable'
  | 'concurrency_limit'
  | 'push_call_limit'
  | 'no_free_push_call'
  | 'rate_limit'
  | 'no_workers'
  | 'no_claims'
>;

/** Workers poll every few seconds; after this long without a claim something is wrong. */
const suspiciousSeconds = 60;

/** The conditions that hold now, the most decisive first. */
export function blockingConditions(facts: QueueFacts): QueueCondition[] {
  const blocking = [
    paused(facts),
    deletion(facts),
    unavailable(facts),
    concurrency(facts),
    rate(facts),
    shortage(facts),
  ].filter((one) => one !== null);
  const listening = noWorkers(facts) ?? (blocking.length === 0 ? noClaims(facts) : null);
  return listening ? [...blocking, listening] : blocking;
}

/** Attempts that ended in the last hour, however they ended. */
export const finishedLastHour = ({ hour }: Pick<QueueFacts, 'hour'>): number => hour.completed + failedAttempts(hour);

/** Jobs that a claim would get if nothing held them back. */
export const claimable = ({ state }: Pick<QueueFacts, 'state'>): number => state.ready + state.due;

/** `paused_at` is a member of the settings, which callers may overwrite. */
export function paused({ state }: Pick<QueueFacts, 'state'>): QueueCondition | null {
  const { enabled, paused_at: pausedAt, paused_reason: reason, paused_by: pausedBy, pause_expires_at: until } = state;
  if (enabled) return null;
  const since = pausedAt !== null && !Number.isNaN(Date.parse(pausedAt)) ? later(pausedAt, 0) : null;
  const period = `${since ? ` since ${at(since)}` : ''}${until ? ` until ${at(until)}` : ''}`;
  const message = `The queue is paused${period}${reason ? ` (${reason})` : ''}; claims get no jobs.`;
  const details = { reason, paused_by: parseActor(pausedBy), expires_at: until };
  return { code: 'queue_paused', message, since, until, details };
}

/** Claims wait until the jobs that were deleted with the queue are gone. */
function deletion({ state }: QueueFacts): QueueCondition | null {
  const { deleted_until: deletedUntil } = state;
  if (deletedUntil === null) return null;
  return {
    code: 'queue_deletion',
    message: `The queue was deleted at ${at(deletedUntil)}; newer jobs can be claimed once the older ones have been removed.`,
    since: deletedUntil,
    until: null,
    details: { deleted_until: deletedUntil },
  };
}

/** The circuit of the receiver of a push queue, or of one that a job names itself, is open. */
export function unavailable(
  { outage }: Pick<QueueFacts, 'outage'>,
  receiver = 'The receiver of this push queue',
): QueueCondition | null {
  if (!outage) return null;
  const { since, nextCallAt } = outage;
  return {
    code: 'receiver_unavailable',
    message: `${receiver} has not responded since ${at(since)}; the next trial call is at ${at(nextCallAt)}.`,
    since,
    until: null,
    details: { next_call_at: nextCallAt },
  };
}

function concurrency({ state }: QueueFacts): QueueCondition | null {
  const { concurrency: limit, unexpired: running } = state;
  if (limit === null || running < limit) return null;
  return {
    code: 'concurrency_limit',
    message: `${plural(boundedBy(running), 'job')} of this queue ${running === 1 ? 'is' : 'are'} running, and its limit is ${limit}.`,
    // The newest of them reached it.
    since: state.last_started_at,
    until: null,
    details: { limit, running },
  };
}

function rate({ state, nextTokenInMs }: QueueFacts): QueueCondition | null {
  const { rate_limit: perSecond } = state;
  if (perSecond === null || !nextTokenInMs) return null;
  const nextTokenAt = later(state.checked_at, nextTokenInMs);
  return {
    code: 'rate_limit',
    message: `The queue's rate of ${plural(perSecond, 'job')} per second is used up; the next job may start in ${nextTokenInMs} ms.`,
    since: null,
    until: nextTokenAt,
    details: { limit_per_second: perSecond, next_token_at: nextTokenAt },
  };
}

/** Neither the queue nor its receiver holds the calls back, but the webhooks service. */
function shortage({ shortage: found }: QueueFacts): QueueCondition | null {
  if (!found) return null;
  const { code, since, running, limit } = found;
  const facts = { since, until: null };
  const own = `the organization makes ${running.toLocaleString('en-US')}`;
  if (code === 'push_call_limit') {
    const message = `Its plan allows ${plural(limit, 'push call')} at once in each webhooks process, and ${own}.`;
    return { ...facts, code, message, details: { limit, running } };
  }
  const { inUse, hasBytes } = found;
  const of = `${inUse.toLocaleString('en-US')} of ${plural(limit, 'call')}`;
  const what = hasBytes ? 'push call' : 'memory for payloads of push calls';
  return {
    ...facts,
    code,
    message: `No ${hasBytes ? 'free ' : ''}${what} is left for this organization: a webhooks process makes ${of}; ${own} of them.`,
    details: { running, in_use: inUse, limit, short_of: hasBytes ? 'calls' : 'payload_bytes' },
  };
}

/** Workers need not register: while none is registered, recent claims show whether there are any. */
function noWorkers(facts: QueueFacts): QueueCondition | null {
  const { healthy, degraded, draining, offline, running, last_heartbeat, waiting_seconds } = facts.state;
  if (facts.state.is_push || healthy > 0 || running > 0) return null;
  const known = degraded + draining + offline;
  const finished = finishedLastHour(facts);
  if (known === 0 && finished > 0 && (waiting_seconds ?? 0) < suspiciousSeconds) return null;
  const states = Object.entries({ degraded, draining, offline }).flatMap(([state, n]) =>
    n > 0 ? `${n} ${state}` : [],
  );
  const who =
    known === 0
      ? 'No worker is registered for this queue and no job of it is running'
      : `None of the ${plural(boundedBy(known), 'worker')} of this queue is healthy (${states.join(', ')}; last heartbeat ${at(last_heartbeat!)})`;
  return {
    code: 'no_workers',
    message: `${who}; ${plural(finished, 'attempt')} ended in ${lastHour(facts.hour)}.`,
    since: known === 0 ? waitingSince(facts) : last_heartbeat,
    until: null,
    details: { healthy, degraded, draining, offline, last_heartbeat, finished_last_hour: finished },
  };
}

/** Since when the oldest claimable job has not been claimed; null if there is none. */
const waitingSince = ({ state }: QueueFacts): string | null =>
  state.waiting_seconds === null ? null : later(state.checked_at, -1_000 * state.waiting_seconds);

function noClaims(facts: QueueFacts): QueueCondition | null {
  const { healthy, running, waiting_seconds: waiting } = facts.state;
  if ((healthy === 0 && !facts.state.is_push) || running > 0 || waiting === null || waiting < suspiciousSeconds)
    return null;
  const finished = finishedLastHour(facts);
  const who = facts.state.is_push
    ? 'No call to the receiver of this push queue is running'
    : `${plural(boundedBy(healthy), 'worker')} of this queue ${healthy === 1 ? 'is' : 'are'} healthy, but no job of it is running`;
  return {
    code: 'no_claims',
    message: `${who}, and a job has waited for ${duration(waiting)}; ${plural(finished, 'attempt')} ended in ${lastHour(facts.hour)}.`,
    since: waitingSince(facts),
    until: null,
    details: { healthy, oldest_waiting_seconds: waiting, finished_last_hour: finished },
  };
}
