import { EngineFixture } from './job-lifecycle.fixture.js';
import { plant, plantedBugs } from './planted-bugs.fixture.js';
import { runRandomWork } from './random-work.fixture.js';

/** Most bugs are found by the first seed, races by the second to sixth. */
const mostSeeds = 30;

describe('the rules for histories', () => {
  let fixture: EngineFixture;
  beforeEach(async () => (fixture = await EngineFixture.open()));
  afterEach(() => fixture?.close());

  it.each(plantedBugs)(
    'find that $name',
    async (bug) => {
      await plant(fixture, bug);
      const broken = new Set<string>();
      for (let seed = 1; broken.size === 0 && seed <= mostSeeds; seed++) {
        const violations = await runRandomWork(fixture, { seed });
        for (const { rule } of violations) broken.add(rule);
      }
      expect([...broken]).not.toEqual([]);
    },
    600_000,
  );
});
