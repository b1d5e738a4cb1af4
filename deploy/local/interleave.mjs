import { parseArgs } from 'node:util';
import { readReport, refuse, runFaultSpec } from './fault-run.mjs';
import { prepareTests } from './test-run.mjs';

// npm run interleave -- [--seed 1] [--schedules 10000]: runs as many schedules of concurrent acts on a real PostgreSQL, one statement at a
// time, and prints those that break a promise, as short as they were found. `--seed 157 --schedules 1` runs one again.

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, schedules: { type: 'string', default: '10000' } },
});
const [first, count] = [values.seed, values.schedules].map(Number);
if (!Number.isInteger(first) || !Number.isInteger(count) || count < 1)
  refuse('Usage: npm run interleave -- [--seed <number>] [--schedules <number>]');
await prepareTests();
const spec = 'libs/queue/src/testing/interleave/interleave-run.faults.spec.ts';
const code = await runFaultSpec('interleave', spec, { first, count });
const report = readReport('interleave');
if (report) console.log(report.trim());
process.exit(code);
