import { plant, plantedBugs } from '../planted-bugs.fixture.js';
import { type Outcome, runSeed } from './interleaving.fixture.js';
import { Lane } from './lane.fixture.js';
import { plantedRaces } from './planted-races.fixture.js';

/** Most are found by the first dozen. */
const mostSeeds = 400;
/** Of the bugs that need no second caller, those with which a schedule can end otherwise than the model says. */
const others = [
  'a completion needs no lease',
  'an expired lease completes',
  'a completion forgets the children',
  'a failure needs no lease',
  'a blocked child is granted',
  'recovery takes leases that hold',
  'a retry forgets the parents',
  'a cancellation takes running jobs',
  'a cancellation keeps the children',
  'a child of a completed parent stays blocked',
];

describe('interleaved statements', () => {
  const bugs = [...plantedRaces, ...plantedBugs.filter(({ name }) => others.includes(name))];

  it.each(bugs)(
    'find that $name',
    async (bug) => {
      const lane = await Lane.open((fixture) => plant(fixture, bug));
      try {
        let found: Outcome | undefined;
        for (let seed = 1; !found && seed <= mostSeeds; seed++) {
          const outcome = await runSeed(lane, seed);
          if (outcome.problems.length > 0) found = outcome;
        }
        expect(found?.problems).toBeDefined();
      } finally {
        await lane.close();
      }
    },
    600_000,
  );
});
