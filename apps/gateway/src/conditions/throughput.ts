import type { explainSchemas } from '@spooled/contracts';
import { countBound } from '@spooled/data-access';
import { depthOf } from './depth.js';
import { finishedLastHour } from './queue-conditions.js';
import type { QueueFacts } from './queue-facts.js';
import { lastHour, later, milliseconds, plural } from './wording.js';

const hourMs = 3_600_000;

/** How many attempts a queue starts in an hour, and where that comes from; null when nothing is known. */
export interface Pace {
  perHour: number;
  basis: string;
}

/**
 * The faster of what the last hour did and of what the running jobs allow: after a quiet hour the first says nothing about how fast a
 * queue can be, and jobs in progress over their average duration do. Never faster than the queue's rate.
 */
export function paceOf(facts: QueueFacts): Pace | null {
  const { state, hour, averageRunMs: runMs, nextTokenInMs } = facts;
  const finished = finishedLastHour(facts);
  const byRunning = runMs === null ? 0 : (state.running * hourMs) / Math.max(1, runMs);
  const byHour = (finished * 3_600) / Math.max(60, hour.covered_seconds);
  const known = Math.max(byHour, byRunning);
  if (known === 0) return null;
  const parts = [`${plural(finished, 'attempt')} ended in ${lastHour(hour)}`];
  if (byRunning > 0)
    parts.push(`${plural(depthOf(facts).running, 'job')} running at ${milliseconds(runMs!)} each on average`);
  const { rate_limit: limit } = state;
  if (limit === null || nextTokenInMs === null) return { perHour: known, basis: parts.join(', ') };
  parts.push(`a limit of ${limit} per second`);
  return { perHour: Math.min(known, limit * 3_600), basis: parts.join(', ') };
}

/** Seconds until the claimable jobs have started if no more arrive; null when their number or the pace is unknown. */
export function secondsToDrain(facts: QueueFacts): number | null {
  const { ready } = depthOf(facts);
  if (ready.count === 0) return 0;
  const pace = paceOf(facts);
  return pace && !ready.at_least ? Math.ceil((ready.count / pace.perHour) * 3_600) : null;
}

/** When a claimable job starts that has this many others ahead; null when unknown, also behind more than 10,000. */
export function startAfter(ahead: number, facts: QueueFacts): explainSchemas.JobExplanation['estimate'] {
  const pace = paceOf(facts);
  if (!pace || ahead >= countBound) return null;
  // While jobs run, the workers are taken to be busy: this job waits for its own slot, too.
  const starts = ahead + (facts.state.running > 0 ? 1 : 0);
  const waitMs = Math.max(facts.nextTokenInMs ?? 0, (starts / pace.perHour) * hourMs);
  return {
    starts_at: later(facts.state.checked_at, waitMs),
    basis: `${plural(ahead, 'job')} ahead; ${pace.basis}. Jobs with a higher priority that arrive meanwhile come first.`,
  };
}
