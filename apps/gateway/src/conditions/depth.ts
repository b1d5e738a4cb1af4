import type { figureSchemas } from '@spooled/contracts';
import { countBound, type SampledDepth } from '@spooled/data-access';
import type { StoredFacts } from './queue-facts.js';
import { boundedBy } from './wording.js';

type BoundedCount = figureSchemas.BoundedCount;

export type Depth = Record<'ready' | 'blocked' | 'scheduled' | 'retrying' | 'running', BoundedCount>;

const exact = (count: number): BoundedCount => ({ count, at_least: false });
/** There may be more than were counted. */
const least = (count: number): BoundedCount => ({ count: Math.min(count, countBound - 1), at_least: true });

/** Jobs that wait for a time are counted together, up to the bound. */
const isWaitingCut = ({ state }: Pick<StoredFacts, 'state'>): boolean =>
  state.scheduled + state.retrying + state.blocked >= countBound;

/** Whether a count of the queue ended at the bound, so that the last sample is needed. */
export const isCut = (facts: Pick<StoredFacts, 'state'>): boolean =>
  [facts.state.ready, facts.state.running].some((count) => count >= countBound) || isWaitingCut(facts);

/**
 * The live jobs of a queue. What is more than a count reaches comes from the last sample, where it tells the states apart: it has no
 * numbers of blocked jobs.
 */
export function depthOf(facts: Pick<StoredFacts, 'state' | 'sampled'>): Depth {
  const { ready, blocked, scheduled, retrying, running } = facts.state;
  const sampled = blocked === 0 ? facts.sampled : null;
  const waitingCut = isWaitingCut(facts);
  return {
    ready: countOf(ready, ready >= countBound, waitingCut ? null : sampledOf(sampled, 'pending', retrying)),
    blocked: boundedBy(blocked),
    scheduled: countOf(scheduled, waitingCut, sampledOf(sampled, 'scheduled')),
    retrying: countOf(retrying, waitingCut, null),
    running: countOf(running, running >= countBound, sampledOf(facts.sampled, 'processing')),
  };
}

const sampledOf = (sampled: SampledDepth | null, member: keyof SampledDepth, less = 0): number | null =>
  sampled && sampled[member] - less;

/** A sample of fewer jobs than were counted is older than the jobs. */
const countOf = (count: number, isAtBound: boolean, sampled: number | null): BoundedCount =>
  !isAtBound ? exact(count) : sampled !== null && sampled >= count ? exact(sampled) : least(count);
