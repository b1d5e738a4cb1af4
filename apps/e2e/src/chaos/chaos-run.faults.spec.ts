import { appendFileSync } from 'node:fs';
import { SeededRandom } from '@spooled/testing';
import { z } from 'zod';
import { ChaosSystem } from './chaos-system.js';
import type { Fault } from './fault.js';
import { faults } from './faults.js';
import { plantedFaults } from './planted-faults.js';
import { runFaults } from './run-faults.js';
import { cellsOf, tableHead } from './table.js';
import { workerProgram } from './worker-processes.js';

/** What `npm run chaos` asks for; without it a short run. */
const options = z
  .object({
    seed: z.number(),
    seconds: z.number(),
    pairs: z.number(),
    /** All faults in one run, rather than each in its own. */
    atOnce: z.boolean().default(false),
    only: z.string().nullable(),
    report: z.string().nullable(),
  })
  .parse(
    JSON.parse(
      process.env.SPOOLED_CHAOS ??
        '{"seed":1,"seconds":2,"pairs":0,"atOnce":true,"only":"engine killed|Redis killed and restarted|PostgreSQL killed","report":null}',
    ),
  );

const line = (what: object) => options.report && appendFileSync(options.report, `${JSON.stringify(what)}\n`);

/** Two faults of different parts at once, as the seed says. @throws Error when all are of one part */
function pairs(among: readonly Fault[], random: SeededRandom): Fault[][] {
  if (options.pairs > 0 && new Set(among.map(({ part }) => part)).size < 2)
    throw new Error('--pairs needs faults of two parts: choose others by --only');
  return Array.from({ length: options.pairs }, () => {
    const first = random.of(among)!;
    const others = among.filter(({ part }) => part !== first.part);
    return [first, random.of(others)!];
  });
}

describe('faults under load', () => {
  let system: ChaosSystem;

  beforeAll(async () => {
    workerProgram.build();
    system = await ChaosSystem.start();
  }, 180_000);
  afterAll(async () => {
    await system?.close();
    workerProgram.remove();
  }, 60_000);

  it('break no promise of the queue', async () => {
    line({ cells: tableHead });
    const pattern = new RegExp(options.only ?? '');
    const tried = faults.filter(({ name }) => pattern.test(name));
    const skipped = tried.flatMap((fault) => (fault.skipped?.(system) ? [fault] : []));
    for (const { name, skipped: why } of skipped) line({ skipped: name, why: why!(system) });
    const possible = tried.filter((fault) => !skipped.includes(fault));
    const random = new SeededRandom(options.seed);
    const broken: string[] = [];
    const runs = options.atOnce ? [possible] : possible.map((fault) => [fault]);
    for (const together of [...runs, ...pairs(possible, random)]) {
      const seed = random.between(1, 1e9);
      const fault = together.map(({ name }) => name).join(' + ');
      const run = { seed, seconds: options.seconds, isMeasured: options.report !== null };
      const observed = await runFaults(system, together, run);
      const violations = observed.violations.map(({ rule, what }) => `${fault}: ${rule}: ${what}`);
      broken.push(...violations);
      line({ cells: cellsOf(fault, [observed]), violations });
    }
    expect(broken).toEqual([]);
  }, 7_200_000);

  // Behind the others, because the system is broken afterwards.
  (options.report ? it.skip : it).each(plantedFaults)(
    'BX-08 are found if they break promises: $name',
    async ({ fault, rule, prepare }) => {
      await prepare?.(system);
      const { violations } = await runFaults(system, [fault], { seed: 1, seconds: 0 });
      expect(violations.map((violation) => violation.rule)).toContain(rule);
    },
    180_000,
  );
});
