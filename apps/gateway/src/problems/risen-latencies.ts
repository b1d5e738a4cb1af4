import type { problemSchemas } from '@spooled/contracts';
import type { LatencyCount } from '@spooled/data-access';
import { type Percentiles, percentilesOf } from '@spooled/domain';
import { milliseconds } from '../explain/wording.js';

type Problem = problemSchemas.Problem;
type What = 'wait' | 'run';

/**
 * When a time counts as risen: so many jobs in the last ten minutes and in the day before, so many times its 95th percentile, more than
 * the 1.78 by which each of the two may be off, and at least so long.
 */
const risen = { jobs: 50, jobsBefore: 200, factor: 3.5, leastMs: { wait: 5_000, run: 1_000 } };

/** Problems whose cause makes jobs wait or run longer as well. */
const explains: Record<What, ReadonlySet<Problem['code']>> = {
  wait: new Set([
    'queue_paused',
    'queue_deletion',
    'receiver_unavailable',
    'no_workers',
    'no_claims',
    'falling_behind',
    'backlog_old',
    'concurrency_limit',
    'push_call_limit',
    'no_free_push_call',
    'rate_limit',
  ]),
  run: new Set(['slow_jobs']),
};

const words = {
  wait: { does: 'wait', did: 'waited', label: 'Add workers, or see who fills it' },
  run: { does: 'run', did: 'ran', label: 'Look at its run times' },
} as const;

/**
 * Queues whose jobs wait or run longer than in the day before. One problem for each: jobs that run longer make others wait.
 * @param known other problems, which may be the cause
 */
export function problemsOfLatencies(counts: LatencyCount[], known: Problem[]): Problem[] {
  const byQueue = Map.groupBy(counts, ({ queue_name }) => queue_name);
  return [...byQueue].flatMap(([queue, own]) => {
    const codes = known.filter((one) => one.queue === queue).map(({ code }) => code);
    for (const what of ['run', 'wait'] as const) {
      const [now, before] = [true, false].map((isRecent) => percentilesOfPart(own, what, isRecent));
      if (codes.some((code) => explains[what].has(code)) || !hasRisen(what, now!, before!)) continue;
      return [problemOf(queue, what, now!.p95, before!.p95)];
    }
    return [];
  });
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

function problemOf(queue: string, what: What, nowMs: number, beforeMs: number): Problem {
  const { does, did, label } = words[what];
  return {
    code: 'latency_risen',
    severity: 'warning',
    queue,
    schedule: null,
    webhook: null,
    title: `Jobs of queue ${queue} ${does} longer than before`,
    detail: `5 % of the jobs of the last 10 minutes ${did} ${milliseconds(nowMs)} or longer; in the day before it was ${milliseconds(beforeMs)}.`,
    since: null,
    action: { label, method: null, path: null, screen: 'queue' },
  };
}
