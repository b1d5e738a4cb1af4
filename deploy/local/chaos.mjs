import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reports, runJest } from './jest.mjs';
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
if (![seed, pairs].every((value) => Number.isInteger(value) && value >= 0) || !(seconds > 0)) {
  console.error('Usage: npm run chaos -- [--seed <number>] [--seconds <number>] [--pairs <number>] [--only <pattern>]');
  process.exit(2);
}
await prepareTests();
mkdirSync(reports, { recursive: true });
const report = join(reports, 'chaos.data');
rmSync(report, { force: true });
const spec = 'apps/e2e/src/chaos/chaos-run.faults.spec.ts';
let printed = 0;
const timer = setInterval(print, 1_000);
const code = await runJest('chaos', ['--selectProjects=faults', '--runTestsByPath', spec], {
  SPOOLED_CHAOS: JSON.stringify({ seed, seconds, pairs, only, report }),
});
clearInterval(timer);
print();
console.log(
  code === 0 ? 'No violations.' : `Again: npm run chaos -- --seed ${seed} --seconds ${seconds} --pairs ${pairs}`,
);
process.exit(code);

/** The rows that have come since, as a table of Markdown. */
function print() {
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  for (const line of lines.slice(printed)) {
    const { cells, violations = [], skipped, why } = JSON.parse(line);
    if (skipped) console.log(`${skipped} is not tried: ${why}`);
    if (cells) console.log(`| ${cells.join(' | ')} |`);
    if (cells && printed === 0) console.log(`|${cells.map(() => ' --- |').join('')}`);
    for (const violation of violations) console.log(`VIOLATION (seed ${seed}) ${violation}`);
    printed += 1;
  }
}
