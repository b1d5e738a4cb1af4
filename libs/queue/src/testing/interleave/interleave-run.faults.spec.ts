import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Outcome, runSeeds } from './interleaving.fixture.js';
import { Lane } from './lane.fixture.js';
import { printed } from './print.fixture.js';
import { shrink } from './shrink.fixture.js';

/** What `npm run interleave` asks for; without it a short run. */
const options = z
  .object({ first: z.number(), count: z.number(), report: z.string().nullable() })
  .parse(JSON.parse(process.env.SPOOLED_INTERLEAVE ?? '{"first":1000,"count":300,"report":null}'));
/** Schedules that are shrunk and printed. */
const mostPrinted = 5;
const laneCount = 2;

describe('many schedules of concurrent acts', () => {
  const lanes: Lane[] = [];
  beforeAll(async () => {
    for (let i = 0; i < laneCount; i++) lanes.push(await Lane.open());
  });
  afterAll(() => Promise.all(lanes.map((lane) => lane.close())));

  it('leave what some order of the acts explains', async () => {
    const failed: Outcome[] = [];
    await runSeeds(lanes, options, async (lane, outcome) => {
      failed.push(failed.length < mostPrinted ? await shrink(lane, outcome) : outcome);
    });
    const texts = failed.map((outcome, i) => (i < mostPrinted ? printed(outcome) : `seed ${outcome.seed} fails too`));
    const summary = `${options.count} schedules from seed ${options.first} on, ${failed.length} break a promise`;
    if (options.report) writeFileSync(options.report, [...texts, summary, ''].join('\n\n'));
    expect(texts.join('\n\n')).toBe('');
  }, 7_200_000);
});
