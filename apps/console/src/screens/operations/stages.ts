import type { Operation } from '@spooled/sdk/browser';

export interface Stage {
  /** Jobs; null for the last one, which has the rest. */
  size: number | null;
  state: 'done' | 'current' | 'waiting';
}

/** The stages of a replay and where it is in them. The last one is everything that remains. */
export function stagesOf({ options, processed, waiting, total, endedAt }: Operation): Stage[] {
  const sizes = options.stages ?? [];
  if (sizes.length === 0) return [];
  const all = total ?? Infinity;
  const stages: Stage[] = [];
  let begin = 0;
  for (const size of [...sizes, null]) {
    // There are fewer dead letters than the stages have capacity for.
    if (begin >= all && stages.length > 0) break;
    const end = Math.min(all, begin + (size ?? Infinity));
    const isDone = processed > end || (processed === end && waiting === 0);
    stages.push({ size, state: isDone ? 'done' : processed > begin ? 'current' : 'waiting' });
    begin = end;
  }
  return endedAt === null ? withCurrent(stages) : stages;
}

/** When a stage is done, the next one is current, although none of its jobs has been replayed yet. */
function withCurrent(stages: Stage[]): Stage[] {
  const next = stages.find(({ state }) => state !== 'done');
  if (next) next.state = 'current';
  return stages;
}
