import { type Outcome, runSeed, runSeeds } from './interleaving.fixture.js';
import { Lane } from './lane.fixture.js';
import { withPoints } from './points.fixture.js';
import { printed } from './print.fixture.js';
import { segmentsOf } from './shrink.fixture.js';

/** As many as a change of a function needs to show that schedules still run; `npm run test:faults` runs 300. */
const seeds = 15;
/** They have found a defect: a child beside the retry of its parent, and beside the deletion of its queue. */
const defects = [80, 157, 169];
const timeoutMs = 180_000;

describe('statements of concurrent acts, released one at a time', () => {
  const lanes: Lane[] = [];
  beforeAll(async () => void lanes.push(await Lane.open()));
  afterAll(() => lanes[0]?.close());

  it(
    `leave what some order of the acts explains (seeds 1 to ${seeds})`,
    async () => {
      const failed: Outcome[] = [];
      await runSeeds(lanes, { first: 1, count: seeds }, async (_, outcome) => void failed.push(outcome));
      expect(failed.map(printed).join('\n\n')).toBe('');
    },
    timeoutMs,
  );

  it.each(defects)('do so where they did not once (seed %i)', async (seed) => {
    expect(printed(await runSeed(lanes[0]!, seed, { isFirst: true }))).toMatch(/Problems:$/);
  });

  it('take the same steps when a seed is run again, and when its schedule is replayed', async () => {
    const steps = async (...args: [number, object?]) => (await runSeed(lanes[0]!, ...args)).steps;
    for (const seed of [7, 8, 9]) {
      const outcome = await runSeed(lanes[0]!, seed);
      expect(await steps(seed)).toEqual(outcome.steps);
      expect(await steps(seed, { segments: segmentsOf(outcome) })).toEqual(outcome.steps);
    }
  });

  it('begin at points that are put before each statement', () => {
    const body = `DECLARE a text := ';'; BEGIN -- c;\n IF a = ';' THEN a := b(';'); c := 1; END IF; FOR x IN y LOOP z; END LOOP; RETURN a; END`;
    expect(withPoints('f', body)).toBe(
      `DECLARE a text := ';'; BEGIN ASSERT interleave_point('f:1'); -- c;\n IF a = ';' THEN a := b(';');` +
        ` ASSERT interleave_point('f:2'); c := 1; END IF; ASSERT interleave_point('f:3'); FOR x IN y LOOP z; END LOOP;` +
        ` ASSERT interleave_point('f:4'); RETURN a; END`,
    );
  });
});
