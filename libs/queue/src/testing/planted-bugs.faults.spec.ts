import { type EngineFixture, useEngine } from './job-lifecycle.fixture.js';
import { plant, type PlantedBug, plantedBugs, remove } from './planted-bugs.fixture.js';
import { runRandomWork } from './random-work.fixture.js';

const mostSeeds = 30;
/** Of the seeds behind the first one: races need more work. */
const manyRounds = 6;

describe('the rules for histories', () => {
  const fixture = useEngine();

  it.each(plantedBugs)(
    'find that $name',
    async (bug) => {
      await plant(fixture, bug);
      try {
        expect(await brokenRules(fixture, bug)).not.toEqual([]);
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
async function brokenRules(
  fixture: EngineFixture,
  { often, seed: first = 1, rounds = 2 }: PlantedBug,
): Promise<string[]> {
  for (let seed = first; seed < first + mostSeeds; seed++) {
    const work = { seed, rounds: seed === first ? rounds : manyRounds, often };
    const violations = await runRandomWork(fixture, work);
    if (violations.length > 0) return [...new Set(violations.map(({ rule }) => rule))];
  }
  return [];
}
