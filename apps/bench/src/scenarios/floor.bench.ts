import { createFloor, floorLoads, removeFloor, workOnFloor } from '../floor/floor.js';
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
    for (const [what, load] of Object.entries(floorLoads)) {
      for (const connections of connectionsTried) {
        await createFloor(stack.superuser);
        await measure({ name: `${what}, ${connections} connections`, settings: { connections } }, (window) =>
          workOnFloor(stack.superuserUrl, window, connections, (connection) => load(connection, payloads)),
        );
      }
    }
    await removeFloor(stack.superuser);
    say('  ratios below are to the best rate of each');
  },
};

/** Prints the ratio of a step's rate to the best of the floor's cycles in this run, and adds it to the report. */
export function reportRatio(run: BenchRun, step: StepReport): void {
  const cycles = run.steps('floor').filter(({ name }) => name.startsWith('cycle'));
  const [row] = step.rows;
  if (cycles.length === 0 || !row) return;
  const ratio = row.rate / Math.max(...cycles.map(({ rows }) => rows[0]?.rate ?? 0));
  row.figures['ratio to floor'] = ratio;
  run.say(`    ratio to floor ${ratio.toFixed(2)}`);
}
