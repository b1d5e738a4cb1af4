import type { Operation } from '@spooled/sdk/browser';

export interface Stage {
  /** `1 job`, or `the rest`. */
  size: number | null;
  state: 'done' | 'current' | 'waiting';
}

/** The stages of a replay and where it is in them. The last one is everything that remains. */
export function stagesOf({ options, processed, waiting, total, endedAt }: Operation): Stage[] {
  const sizes = options.stages ?? [];
  if (sizes.length === 0) return [];
  let begin = 0;
  const stages: Stage[] = [];
  for (const size of sizes) {
    // Fewer dead letters than the stages have room for.
    if (total !== null && begin >= total) break;
    const end = begin + size;
    const isDone = processed > end || (processed >= Math.min(end, total ?? end) && waiting === 0);
    stages.push({ size, state: stateOf(isDone, processed > begin || begin === 0) });
    begin = end;
  }
  if (total !== null && begin >= total) return settle(stages);
  stages.push({
    size: null,
    state: stateOf(endedAt !== null && processed > begin && waiting === 0, processed > begin),
  });
  return settle(stages);
}

const stateOf = (isDone: boolean, hasBegun: boolean): Stage['state'] =>
  isDone ? 'done' : hasBegun ? 'current' : 'waiting';

/** When a stage is done, the next one is current, although none of its jobs has been replayed yet. */
function settle(stages: Stage[]): Stage[] {
  if (stages.some(({ state }) => state === 'current')) return stages;
  const next = stages.find(({ state }) => state === 'waiting');
  if (next) next.state = 'current';
  return stages;
}
