import { parseArgs } from 'node:util';
import { readRows, refuse, runFaultSpec } from './fault-run.mjs';
import { prepareTests } from './test-run.mjs';

// npm run chaos -- [--seed 1] [--seconds 5] [--pairs 10] [--only <pattern>]: breaks one part of a system under load after the other, then
// pairs of them, and prints a row for each. `--only` takes a regular expression over the names of faults; the seed repeats which process
// or connection is broken, and which faults are combined.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '5' },
    pairs: { type: 'string' },
    only: { type: 'string' },
  },
});
const { only = null } = values;
const [seed, seconds, pairs] = [values.seed, values.seconds, values.pairs ?? (only ? '0' : '10')].map(Number);
if (![seed, pairs].every((value) => Number.isInteger(value) && value >= 0) || !(seconds > 0))
  refuse('Usage: npm run chaos -- [--seed <number>] [--seconds <number>] [--pairs <number>] [--only <pattern>]');
await prepareTests();
const spec = 'apps/e2e/src/chaos/chaos-run.faults.spec.ts';
let printed = 0;
const timer = setInterval(print, 1_000);
const code = await runFaultSpec('chaos', spec, { seed, seconds, pairs, only });
clearInterval(timer);
print();
console.log(
  code === 0 ? 'No violations.' : `Again: npm run chaos -- --seed ${seed} --seconds ${seconds} --pairs ${pairs}`,
);
process.exit(code);

/** The rows that have come since, as a table of Markdown. */
function print() {
  for (const { cells, violations = [], skipped, why } of readRows('chaos').slice(printed)) {
    if (skipped) console.log(`${skipped} is not tried: ${why}`);
    if (cells) console.log(`| ${cells.join(' | ')} |`);
    if (cells && printed === 0) console.log(`|${cells.map(() => ' --- |').join('')}`);
    for (const violation of violations) console.log(`VIOLATION (seed ${seed}) ${violation}`);
    printed += 1;
  }
}
