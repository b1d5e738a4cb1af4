import type { Call, Violation } from '@spooled/testing';
import type { CallLog } from './call-log.js';

/** Times of one run, in milliseconds since the epoch. */
export interface Times {
  injected: number;
  /** When the fault had ended. */
  healed: number;
  /** When the callers stopped creating jobs. */
  stopped: number;
}

/** What a run has shown. */
export interface Observation {
  acknowledged: number;
  violations: Violation[];
  /** Milliseconds from the end of a lease that expired to the next one of the job. */
  reclaims: number[];
  /** Milliseconds from the end of the fault to the first job that was completed by a call that began after it; null = none. */
  firstSuccess: number | null;
  /** Requests by how they ended, since the fault began. */
  errors: Map<string, number>;
  /** Attempts that ended because a lease expired, without those that a worker was told to abandon. */
  lostLeases: number;
  /** Completed jobs of a second: before the fault, in it, and after the third second behind it. */
  throughput: { before: number; during: number; after: number };
  /** Seconds until a second had four fifths of the completions of before; null = never. */
  recovered: number | null;
}

const warmSeconds = 3;
const settleSeconds = 3;

export function observe(log: CallLog, times: Times): Omit<Observation, 'violations' | 'lostLeases'> {
  const rate = (from: number, to: number) => completionsIn(log, from, to) / Math.max(1, (to - from) / 1000);
  const { injected, healed, stopped } = times;
  const before = rate(injected - warmSeconds * 1000, injected);
  return {
    acknowledged: log.calls.filter(({ verb, outcome }) => verb === 'enqueue' && outcome === 'ok').length,
    reclaims: reclaimsOf(log.calls),
    firstSuccess: firstSuccess(log.calls, healed),
    errors: Map.groupBy(
      log.answers.filter(({ at }) => at >= injected && at < stopped),
      ({ kind }) => kind,
    )
      .entries()
      .reduce((counts, [kind, all]) => counts.set(kind, all.length), new Map<string, number>()),
    throughput: { before, during: rate(injected, healed), after: rate(healed + settleSeconds * 1000, stopped) },
    recovered: recoveredAfter(log, times, before),
  };
}

const completionsIn = ({ answers }: CallLog, from: number, to: number): number =>
  answers
    .filter(({ verb, at }) => verb === 'complete' && at >= from && at < to)
    .reduce((sum, { succeeded }) => sum + succeeded, 0);

function reclaimsOf(calls: readonly Call[]): number[] {
  const ended = new Set(
    calls.flatMap((call) => ('lease' in call && call.verb !== 'renew' && call.outcome === 'ok' ? call.lease : [])),
  );
  const renewed = new Map<string, number>();
  for (const call of calls)
    if (call.verb === 'renew' && call.answer)
      renewed.set(call.lease, Math.max(call.answer, renewed.get(call.lease) ?? 0));
  const grants = calls.flatMap((call) =>
    call.verb === 'claim' ? (call.answer ?? []).map((grant) => ({ ...grant, at: call.to })) : [],
  );
  return [...Map.groupBy(grants, ({ job }) => job).values()].flatMap((ofJob) => {
    const sorted = ofJob.toSorted((a, b) => a.at - b.at);
    return sorted.slice(1).flatMap(({ at }, i) => {
      const { lease, expiresAt } = sorted[i]!;
      return ended.has(lease) ? [] : Math.max(0, at - Math.max(expiresAt, renewed.get(lease) ?? 0));
    });
  });
}

function firstSuccess(calls: readonly Call[], healed: number): number | null {
  const ends = calls
    .filter(({ verb, outcome, from }) => verb === 'complete' && outcome === 'ok' && from >= healed)
    .map(({ to }) => to);
  return ends.length === 0 ? null : Math.min(...ends) - healed;
}

function recoveredAfter(log: CallLog, { healed, stopped }: Times, before: number): number | null {
  const stepMs = 250;
  for (let from = healed; from + 1000 <= stopped; from += stepMs)
    if (completionsIn(log, from, from + 1000) >= 0.8 * before) return (from - healed) / 1000;
  return null;
}

/** @param share 0.5 = median */
export const percentile = (values: readonly number[], share: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? null;
