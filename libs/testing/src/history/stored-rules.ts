import { type CallOf, callsOf } from './call.js';
import type { Evidence } from './evidence.js';
import type { StoredJob } from './final-state.js';

/** I6: what is kept is what counting gives. */
const countsEqual = ({ state }: Evidence): string[] =>
  state.counts
    .filter(({ kept, counted }) => kept !== counted)
    .map(({ what, kept, counted }) => `${what}: ${kept} are kept, ${counted} exist`);

/** Events with which an attempt ends. */
const attemptEnds = new Set([
  'failed',
  'timeout',
  'lease_expired',
  'worker_lost',
  'released',
  'waiting',
  'cancelled',
  'completed',
]);
/** Those that count as an attempt. */
const costs = new Set(['failed', 'timeout', 'lease_expired', 'worker_lost']);

/**
 * I11: each received lease ends once, and no lease ends that nobody received. A claim without an answer may have received any. A forced
 * cancellation ends a lease of which only a lost answer told: the claim is answered with other jobs when it is delivered again.
 */
function leasesEndOnce({ calls, leases, state }: Evidence): string[] {
  const unanswered = new Set(
    callsOf(calls, 'claim')
      .filter(({ outcome }) => outcome === 'unknown')
      .map(({ tenant, queue }) => `${tenant}/${queue}`),
  );
  return state.jobs.flatMap((job) => {
    const received = new Set((leases.get(job.id) ?? []).map(({ lease }) => lease));
    const ends = endsOf(job);
    const lost = [...received].filter((lease) => ends.filter((end) => end === lease).length !== 1);
    const unknown = unanswered.has(`${job.tenant}/${job.queue}`)
      ? []
      : ends.filter((lease) => !received.has(lease) && !isCancelled(job, lease));
    return [
      ...lost.map((lease) => `${job.id}: lease ${lease} has ${ends.filter((end) => end === lease).length} ends`),
      ...unknown.map((lease) => `${job.id}: lease ${lease} ended, and nobody received it`),
    ];
  });
}

const isCancelled = ({ events }: StoredJob, lease: string): boolean =>
  events.some((one) => one.event === 'cancelled' && one.lease === lease);

const endsOf = ({ events, outcome, lease }: StoredJob): string[] => [
  ...events.filter(({ event }) => attemptEnds.has(event)).flatMap((end) => end.lease ?? []),
  ...(outcome === 'completed' && lease !== null ? [lease] : []),
];

const shown = ['fail', 'release', 'wait', 'cancel', 'requestCancel', 'retry', 'signal'] as const;
type Shown = CallOf<(typeof shown)[number]>;

/** One of them is in the history. A job that was asked to end is cancelled by whatever ends its attempt. */
const eventsOf: Record<Shown['verb'], string[]> = {
  fail: ['failed', 'cancelled'],
  release: ['released', 'cancelled'],
  wait: ['waiting', 'cancelled'],
  cancel: ['cancelled'],
  requestCancel: ['cancel_requested', 'cancelled'],
  retry: ['retried'],
  signal: ['resumed'],
};

const changedNothing = (call: Shown): boolean =>
  (call.verb === 'wait' && call.answer === true) || (call.verb === 'signal' && !call.answer?.resumed);

/** I11: the history shows what callers did. */
function historyShowsCalls({ calls, stored }: Evidence): string[] {
  return callsOf(calls, ...shown).flatMap((call) => {
    const job = stored.get(call.job);
    if (call.outcome !== 'ok' || !job || changedNothing(call)) return [];
    const own = job.events.filter(
      ({ event, lease }) => eventsOf[call.verb].includes(event) && (!('lease' in call) || lease === call.lease),
    );
    return own.length === 0 ? [`${call.job}: its history does not show ${call.verb} (${call.began})`] : [];
  });
}

/** I11: attempts are counted as the history has them since the job was last put into its queue, and within its bound. */
function attemptsCounted({ calls, state }: Evidence): string[] {
  const most = new Map(callsOf(calls, 'enqueue').map(({ job, maxRetries }) => [job, maxRetries]));
  return state.jobs.flatMap(({ id, events, outcome, retryCount }) => {
    const last = events.slice(events.findLastIndex(({ event }) => event === 'retried') + 1);
    const failed = last.filter(({ event }) => costs.has(event)).length;
    const isByFailure = outcome === 'deadletter' && !last.some(({ event }) => event === 'deadlettered');
    const expected = isByFailure ? failed - 1 : failed;
    return [
      ...(expected === retryCount
        ? []
        : [`${id}: ${failed} attempts failed and ${retryCount} are counted (${outcome})`]),
      ...(failed <= (most.get(id) ?? failed) + 1
        ? []
        : [`${id}: ${failed} attempts, ${most.get(id)} retries are allowed`]),
    ];
  });
}

/** I11: the dead are listed, and no others. */
const deadLettersListed = ({ state }: Evidence): string[] =>
  state.jobs
    .filter(({ outcome, isListedAsDead }) => (outcome === 'deadletter') !== isListedAsDead)
    .map(({ id, outcome, isListedAsDead }) => `${id} is ${outcome} and ${isListedAsDead ? '' : 'not '}listed as dead`);

/** I12: each end of a job is reported once to the receiver that it names. Of a job without an answer nobody knows what it names. */
function endsReported({ calls, state }: Evidence): string[] {
  const reported = new Map(callsOf(calls, 'enqueue').map((call) => [call.job, call.reported]));
  return state.jobs.flatMap(({ id, outcome, reports, events }) => {
    if (!reported.has(id)) return [];
    if (!reported.get(id)) return reports === 0 ? [] : [`${id} was reported to nobody's request`];
    const died = events.filter(({ isDeath }) => isDeath).length;
    const again = events.filter(({ event }) => event === 'completed').length;
    const expected = (outcome === 'completed' ? 1 : 0) + died + again;
    return reports === expected ? [] : [`${id}: ${expected} ends, ${reports} reports`];
  });
}

export const storedRules = {
  countsEqual,
  leasesEndOnce,
  historyShowsCalls,
  attemptsCounted,
  deadLettersListed,
  endsReported,
};
