import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reports, runJest } from './jest.mjs';
import { prepareTests } from './test-run.mjs';

// npm run interleave -- [--seed 1] [--schedules 10000]: runs as many schedules of concurrent acts on a real PostgreSQL, one statement at a
// time, and prints those that break a promise, as short as they were found. `--seed 157 --schedules 1` runs one again.

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, schedules: { type: 'string', default: '10000' } },
});
const [first, count] = [values.seed, values.schedules].map(Number);
if (!Number.isInteger(first) || !Number.isInteger(count) || count < 1) {
  console.error('Usage: npm run interleave -- [--seed <number>] [--schedules <number>]');
  process.exit(2);
}
await prepareTests();
mkdirSync(reports, { recursive: true });
const report = join(reports, 'interleave.txt');
const spec = 'libs/queue/src/testing/interleave/interleave-run.faults.spec.ts';
const code = await runJest('interleave', ['--selectProjects=faults', '--runTestsByPath', spec], {
  SPOOLED_INTERLEAVE: JSON.stringify({ first, count, report }),
});
if (existsSync(report)) console.log(readFileSync(report, 'utf8').trim());
process.exit(code);
