import { callsOf, type CallOf, mayHaveHappened } from './call.js';
import type { Evidence, ReceivedLease } from './evidence.js';

const ok = ({ outcome }: { outcome: string }): boolean => outcome === 'ok';

/** Jobs that may have been deleted. */
const deleted = ({ calls }: Evidence): Set<string> =>
  new Set(
    callsOf(calls, 'purge')
      .filter(mayHaveHappened)
      .map(({ job }) => job),
  );

/** I1: what was acknowledged exists, and with the outcome that was acknowledged last. */
function nothingLost(evidence: Evidence): string[] {
  const { calls, stored } = evidence;
  const gone = deleted(evidence);
  const missing = callsOf(calls, 'enqueue')
    .filter(ok)
    .map(({ job, answer }) => answer ?? job)
    .filter((id) => !stored.has(id) && !gone.has(id));
  const retried = new Set(callsOf(calls, 'retry').map(({ job }) => job));
  const undone = callsOf(calls, 'complete')
    .filter(ok)
    .filter(({ job }) => !retried.has(job) && stored.get(job)?.outcome !== 'completed');
  return [
    ...missing.map((id) => `${id} was acknowledged and does not exist`),
    ...undone.map(({ job }) => `${job} was completed and is ${stored.get(job)?.outcome}`),
  ];
}

/** I1: a command that is delivered until it is answered gets an answer. */
const everyCallAnswered = ({ calls }: Evidence): string[] =>
  calls
    .filter(({ outcome }) => outcome === 'unknown')
    .map(({ verb, began }) => `${verb} (${began}) was never answered`);

/** I4: when all work is done, every job has ended. */
const everyJobEnded = ({ state }: Evidence): string[] =>
  state.jobs.flatMap(({ id, outcome, isLive }) => {
    if (outcome === null) return [`${id} has not ended`];
    return isLive ? [`${id} is ${outcome} and still in its queue`] : [];
  });

/**
 * I5: a job with a lower priority is not granted while one with a higher waits. Not judged are claims that overlap, and parents: a call
 * for a child locks its parent, and claims skip what is locked.
 */
function priorityKept({ calls, leases }: Evidence): string[] {
  const claims = callsOf(calls, 'claim');
  const parents = new Set(callsOf(calls, 'enqueue', 'depend').map(({ parent }) => parent));
  const certain = callsOf(calls, 'enqueue').filter(
    (job) => ok(job) && job.due === null && !job.parent && !job.key && !parents.has(job.job),
  );
  return claims.flatMap((claim) => {
    const alone = !claims.some((other) => other !== claim && isSameQueue(other, claim) && overlap(other, claim));
    const lowest = Math.min(...(claim.answer ?? []).map(({ priority }) => priority));
    if (!alone || lowest === Number.POSITIVE_INFINITY) return [];
    return certain
      .filter((job) => isSameQueue(job, claim) && job.ended < claim.began && job.priority > lowest)
      .filter(({ job }) => isUntouchedUntil(claim, calls, job, leases.get(job)))
      .map(({ job }) => `${job} waited while claim ${claim.began} got priority ${lowest}`);
  });
}

type Placed = Pick<CallOf<'claim'>, 'tenant' | 'queue' | 'began' | 'ended'>;
const isSameQueue = (a: Placed, b: Placed): boolean => a.tenant === b.tenant && a.queue === b.queue;
const overlap = (a: Placed, b: Placed): boolean => a.began < b.ended && b.began < a.ended;

function isUntouchedUntil(claim: Placed, calls: Evidence['calls'], job: string, leases?: ReceivedLease[]): boolean {
  const first = leases?.[0];
  if (!first || first.claim.began <= claim.ended) return false;
  const touching = calls.filter((call) => call.verb !== 'enqueue' && call.verb !== 'claim');
  return !touching.some((call) => call.job === job && call.began < claim.ended);
}

/** I7: calls with the same key of a tenant name the same job. */
function oneJobPerKey({ calls, state }: Evidence): string[] {
  const keyed = callsOf(calls, 'enqueue').filter((call) => ok(call) && call.key !== null);
  const answers = [...Map.groupBy(keyed, ({ tenant, key }) => `${tenant}/${key}`)].flatMap(([key, same]) => {
    const jobs = new Set(same.map(({ job, answer }) => answer ?? job));
    return jobs.size > 1 ? [`${key} names ${jobs.size} jobs`] : [];
  });
  const rows = Map.groupBy(
    state.jobs.filter(({ key }) => key !== null),
    ({ tenant, key }) => `${tenant}/${key}`,
  );
  return [
    ...answers,
    ...[...rows].filter(([, same]) => same.length > 1).map(([key, { length }]) => `${key}: ${length} jobs`),
  ];
}

/**
 * I8: nothing is granted before its time, and no child before its parent has completed. A retry ends the wait for a time, also that of a
 * child that is requeued with its parent.
 */
function nothingEarly({ calls, leases }: Evidence): string[] {
  const completions = callsOf(calls, 'complete').filter(mayHaveHappened);
  const retries = callsOf(calls, 'retry').filter(mayHaveHappened);
  const children = new Set(callsOf(calls, 'depend').map(({ job }) => job));
  return callsOf(calls, 'enqueue').flatMap(({ job, due, parent }) =>
    (leases.get(job) ?? []).flatMap(({ claim }) => [
      ...(due !== null && claim.to < due && !retries.some(isRetryOf(job, parent !== null || children.has(job), claim))
        ? [`${job} was granted ${due - claim.to} ms early`]
        : []),
      ...(parent === null || completions.some((done) => done.job === parent && done.began < claim.ended)
        ? []
        : [`${job} was granted before its parent ${parent} had completed`]),
    ]),
  );
}

/** Retries that may have requeued a job before a claim: of itself or, of a child, of any job of its tenant. */
export const isRetryOf = (job: string, isChild: boolean, claim: CallOf<'claim'>) => (retry: CallOf<'retry'>) =>
  retry.began < claim.ended && (retry.job === job || (isChild && retry.tenant === claim.tenant));

/** I8: a child is cancelled only with a parent, by a call, or because it expired. */
function childrenCancelledWithReason({ calls, state, stored }: Evidence): string[] {
  const cancelled = new Set(
    callsOf(calls, 'cancel', 'requestCancel')
      .filter(mayHaveHappened)
      .map(({ job }) => job),
  );
  const created = new Map(callsOf(calls, 'enqueue').map((call) => [call.job, call]));
  const later = Map.groupBy(callsOf(calls, 'depend').filter(mayHaveHappened), ({ job }) => job);
  return state.jobs.flatMap(({ id, outcome }) => {
    const child = created.get(id);
    if (outcome !== 'cancelled' || cancelled.has(id) || !child) return [];
    const parents = [child.parent ?? [], later.get(id)?.map(({ parent }) => parent) ?? []].flat();
    const hasReason = child.expires !== null || parents.some((parent) => stored.get(parent)?.outcome !== 'completed');
    return hasReason ? [] : [`${id} was cancelled without a reason`];
  });
}

/** I10: no tenant is granted a job of another, and none is stored for another. */
function tenantsApart({ calls, leases, stored }: Evidence): string[] {
  return callsOf(calls, 'enqueue').flatMap(({ job, tenant }) => [
    ...(leases.get(job) ?? [])
      .filter(({ claim }) => claim.tenant !== tenant)
      .map(({ claim }) => `${job} was granted to ${claim.tenant}`),
    ...((stored.get(job)?.tenant ?? tenant) === tenant ? [] : [`${job} is stored for ${stored.get(job)?.tenant}`]),
  ]);
}

/** I13: what was deleted is gone, and never granted again. */
function nothingComesBack({ calls, leases, stored }: Evidence): string[] {
  return callsOf(calls, 'purge')
    .filter(ok)
    .flatMap(({ job, ended }) => [
      ...(stored.has(job) ? [`${job} was deleted and exists`] : []),
      ...(leases.get(job) ?? []).filter(({ claim }) => claim.began > ended).map(() => `${job} was deleted and granted`),
    ]);
}

export const jobRules = {
  nothingLost,
  everyCallAnswered,
  everyJobEnded,
  priorityKept,
  oneJobPerKey,
  nothingEarly,
  childrenCancelledWithReason,
  tenantsApart,
  nothingComesBack,
};
