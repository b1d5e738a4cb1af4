import type { conditionSchemas } from '@spooled/contracts';
import type { LatencyCount } from '@spooled/data-access';
import { type Percentiles, percentilesOf } from '@spooled/domain';
import { milliseconds } from './wording.js';

type Risen = conditionSchemas.ConditionOf<'latency_risen'>;
type What = 'wait' | 'run';

/**
 * When a time counts as risen: so many jobs in the last ten minutes and in the day before, so many times its 95th percentile, more than
 * the 1.78 by which each of the two may be off, and at least so long.
 */
const risen = { jobs: 50, jobsBefore: 200, factor: 3.5, leastMs: { wait: 5_000, run: 1_000 } };

/** Jobs of a queue that run or wait longer than in the day before; one of both, because jobs that run longer make others wait. */
export function risenLatency(counts: LatencyCount[]): Risen | null {
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
