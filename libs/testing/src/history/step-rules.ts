import { type CallOf, callsOf, mayHaveHappened } from './call.js';
import type { Evidence } from './evidence.js';
import { isRetryOf } from './job-rules.js';

/** Ends of attempts after which a job continues. */
const continued = new Set(['failed', 'timeout', 'lease_expired', 'worker_lost', 'released', 'waiting']);

/** I14: a job whose end was requested is completed or cancelled, and not tried again unless somebody retries it. */
function requestedJobsEnd({ state }: Evidence): string[] {
  return state.jobs.flatMap(({ id, events, outcome }) => {
    const asked = events.findLastIndex(({ event }) => event === 'cancel_requested');
    if (asked < 0) return [];
    const later = events.slice(asked + 1).map(({ event }) => event);
    const retried = later.indexOf('retried');
    const wrong = later.slice(0, retried < 0 ? undefined : retried).find((event) => continued.has(event));
    if (wrong) return [`${id} was asked to end and goes on after ${wrong}`];
    return retried >= 0 || outcome === 'completed' || outcome === 'cancelled'
      ? []
      : [`${id} was asked to end and is ${outcome}`];
  });
}

/** I15: of the results of a step that were acknowledged, the first one is kept. */
function resultsKept({ calls, stored }: Evidence): string[] {
  const recorded = callsOf(calls, 'step').filter(mayHaveHappened);
  return [...Map.groupBy(recorded, ({ job, step }) => `${job} ${step}`)].flatMap(([name, same]) => {
    const job = stored.get(same[0]!.job);
    const firstEnd = Math.min(...same.filter(({ outcome }) => outcome === 'ok').map(({ ended }) => ended));
    if (!job || firstEnd === Number.POSITIVE_INFINITY) return [];
    const kept = job.steps[same[0]!.step];
    return same.some(({ value, began }) => value === kept && began <= firstEnd)
      ? []
      : [`${name}: its result is ${JSON.stringify(kept)}`];
  });
}

const waitsOf = (calls: Evidence['calls'], { job, step }: { job: string; step: string }): CallOf<'wait'>[] =>
  callsOf(calls, 'wait').filter((wait) => wait.job === job && wait.step === step && mayHaveHappened(wait));

const signalsOf = (calls: Evidence['calls'], { job, step }: { job: string; step: string }): CallOf<'signal'>[] =>
  callsOf(calls, 'signal').filter((signal) => signal.job === job && signal.step === step && mayHaveHappened(signal));

/** A wait that began earlier keeps its deadline. */
const earliestEnd = (waits: readonly CallOf<'wait'>[]): number =>
  Math.min(...waits.map(({ from, waitMs }) => from + waitMs));

/** I16: a job that waits is granted only after its signal, or when its time is over. */
function waitsKept({ calls, leases }: Evidence): string[] {
  const retries = callsOf(calls, 'retry').filter(mayHaveHappened);
  return callsOf(calls, 'wait').flatMap((wait) => {
    if (wait.outcome !== 'ok' || wait.answer) return [];
    const until = earliestEnd(waitsOf(calls, wait));
    const signals = signalsOf(calls, wait);
    return (leases.get(wait.job) ?? [])
      .filter(({ claim }) => claim.began > wait.ended && claim.to < until)
      .filter(({ claim }) => !signals.some(({ began }) => began < claim.ended))
      .filter(({ claim }) => !retries.some(isRetryOf(wait.job, true, claim)))
      .map(({ claim }) => `${wait.job} was granted ${until - claim.to} ms before its wait was over`);
  });
}

/** I16: a wait that is over at once has had its signal or its time. */
const waitsOverWithReason = ({ calls }: Evidence): string[] =>
  callsOf(calls, 'wait')
    .filter(({ outcome, answer }) => outcome === 'ok' && answer === true)
    .filter((wait) => !signalsOf(calls, wait).some(({ began }) => began < wait.ended))
    .filter((wait) => {
      const earlier = waitsOf(calls, wait).filter((one) => one !== wait && one.began < wait.ended);
      return wait.to < earliestEnd(earlier);
    })
    .map(({ job, began }) => `${job}: wait ${began} was over without a reason`);

/** I17: the first signal of a name counts, and none after the deadline of its wait. */
function signalsCountOnce({ calls }: Evidence): string[] {
  // A retry begins the wait again. It brings back children too, but those that have waited were not blocked, unless that changed later.
  const again = new Set(callsOf(calls, 'retry', 'depend').map(({ job }) => job));
  const accepted = callsOf(calls, 'signal').filter(({ outcome, answer }) => outcome === 'ok' && answer?.accepted);
  const twice = [...Map.groupBy(accepted, ({ job, step }) => `${job} ${step}`)]
    .filter(([, { length }]) => length > 1)
    .map(([name, { length }]) => `${name}: ${length} signals were accepted`);
  const late = accepted
    .filter(({ job }) => !again.has(job))
    .filter((signal) =>
      waitsOf(calls, signal).some(
        ({ outcome, answer, ended, to, waitMs }) =>
          outcome === 'ok' && answer === false && ended < signal.began && to + waitMs < signal.from,
      ),
    )
    .map(({ job, began }) => `${job}: signal ${began} was accepted after the deadline`);
  return [...twice, ...late];
}

export const stepRules = { requestedJobsEnd, resultsKept, waitsKept, waitsOverWithReason, signalsCountOnce };
