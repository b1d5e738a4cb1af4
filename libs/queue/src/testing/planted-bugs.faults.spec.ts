import { type EngineFixture, useEngine } from './job-lifecycle.fixture.js';
import { plant, type PlantedBug, plantedBugs, remove } from './planted-bugs.fixture.js';
import { runRandomWork } from './random-work.fixture.js';

/** Two rounds of work find most bugs; races need more of it. */
const roundsOf = (seed: number): number => Math.min(6, 2 * seed);
const mostSeeds = 30;

describe('the rules for histories', () => {
  const fixture = useEngine();

  it.each(plantedBugs)(
    'find that $name',
    async (bug) => {
      await plant(fixture, bug);
      try {
        expect(await brokenRules(fixture, bug.often)).not.toEqual([]);
      } finally {
        await remove(fixture, bug);
      }
    },
    600_000,
  );

  it('find nothing once all bugs are removed', async () => {
    expect(await runRandomWork(fixture, { seed: 1 })).toEqual([]);
  }, 600_000);
});

/** The rules that the first seed breaks which breaks any. */
async function brokenRules(fixture: EngineFixture, often: PlantedBug['often']): Promise<string[]> {
  for (let seed = 1; seed <= mostSeeds; seed++) {
    const violations = await runRandomWork(fixture, { seed, rounds: roundsOf(seed), often });
    if (violations.length > 0) return [...new Set(violations.map(({ rule }) => rule))];
  }
  return [];
}
