import { cycleOnFloor, enqueueOnFloor, createFloor, removeFloor } from '../floor/floor.js';
import { payloadOf } from '../load/payload.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';

const batch = 100;
const connectionsTried = [1, 2, 4];

export const floor: Scenario = {
  name: 'floor',
  what: 'the same work as plain batched SQL: no API, no tenant isolation, no counters',
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    'jobs a statement': batch,
    transactions: 'one for each statement',
  }),
  async run({ stack, options, measure, say }) {
    const payloads = Array.from({ length: batch }, () => JSON.stringify(payloadOf(options.payloadBytes)));
    const loads = { enqueue: enqueueOnFloor, cycle: cycleOnFloor };
    for (const [what, load] of Object.entries(loads)) {
      for (const connections of connectionsTried) {
        await createFloor(stack.superuser);
        await measure({ name: `${what}, ${connections} connections`, settings: { connections } }, (window) =>
          load(stack.superuserUrl, window, connections, payloads),
        );
      }
    }
    await removeFloor(stack.superuser);
    say('  ratios below are to the best rate of each');
  },
};

/** The best rate of the floor in this run, in jobs per second; null if it was not measured. */
export function floorRate(steps: StepReport[], what: 'cycle' | 'enqueue' = 'cycle'): number | null {
  const rates = steps.filter(({ name }) => name.startsWith(what)).map(({ rows }) => rows[0]?.rate ?? 0);
  return rates.length ? Math.max(...rates) : null;
}

/** Prints the ratio of a step's rate to the floor's and adds it to the report. */
export function reportRatio(run: Pick<BenchRun, 'steps' | 'say'>, step: StepReport, what?: 'cycle' | 'enqueue'): void {
  const rate = floorRate(run.steps('floor'), what);
  const [row] = step.rows;
  if (rate === null || !row) return;
  row.figures['ratio to floor'] = row.rate / rate;
  run.say(`    ratio to floor ${(row.rate / rate).toFixed(2)}`);
}
