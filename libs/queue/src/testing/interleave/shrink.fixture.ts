import { type Outcome, type Replay, runSeed, type Segments } from './interleaving.fixture.js';
import type { Lane } from './lane.fixture.js';

const mostTries = 120;

/** The shortest schedule that was found in which the acts of a failing seed still fail: fewer actors, then fewer switches, then fewer steps. */
export async function shrink(lane: Lane, failed: Outcome): Promise<Outcome> {
  let best = failed;
  let tries = 0;
  const attempt = async (replay: Replay): Promise<boolean> => {
    if (tries++ >= mostTries) return false;
    const outcome = await runSeed(lane, failed.seed, replay);
    if (outcome.problems.length === 0) return false;
    best = outcome;
    return true;
  };
  const actors = await fewerActors(failed, attempt);
  let segments = segmentsOf(best);
  for (let i = 0; i < segments.length;) {
    const fewer = merged(segments.toSpliced(i, 1));
    if (await attempt({ segments: fewer, actors })) segments = fewer;
    else i++;
  }
  for (let i = 0; i < segments.length; i++) {
    while (segments[i]!.steps > 1) {
      const less = segments.with(i, { ...segments[i]!, steps: Math.floor(segments[i]!.steps / 2) });
      if (!(await attempt({ segments: less, actors }))) break;
      segments = less;
    }
  }
  return best;
}

/** Leaves out one of three actors. @returns the indexes of the acts that stay */
async function fewerActors({ acts, steps }: Outcome, attempt: (replay: Replay) => Promise<boolean>): Promise<number[]> {
  const all = acts.map((_, i) => i);
  if (all.length < 3) return all;
  for (const left of all) {
    const actors = all.filter((i) => i !== left);
    const numbers = new Map(actors.map((i, place) => [i + 1, place + 1]));
    const segments = steps
      .filter(({ actor }) => numbers.has(actor))
      .map(({ actor }) => ({ actor: numbers.get(actor)!, steps: 1 }));
    if (await attempt({ segments: merged(segments), actors })) return actors;
  }
  return all;
}

/** What an outcome's schedule was, to run it again. */
export const segmentsOf = ({ steps }: Outcome): Segments => merged(steps.map(({ actor }) => ({ actor, steps: 1 })));

function merged(segments: Segments): Segments {
  const result: { actor: number; steps: number }[] = [];
  for (const { actor, steps } of segments) {
    const last = result.at(-1);
    if (last?.actor === actor) last.steps += steps;
    else result.push({ actor, steps });
  }
  return result;
}
