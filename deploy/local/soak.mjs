import { parseArgs } from 'node:util';
import { readReport, refuse, runFaultSpec } from './fault-run.mjs';
import { prepareTests, provideDatabase } from './test-run.mjs';

// npm run soak -- [--hours <n>] [--minutes <n>]: works for as long over every transport while processes are restarted and tenants come and
// go, and prints the trend of memory, dead tuples, connections, size and latency. Exit code 1 if a promise is broken or something grows.

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '0' }, minutes: { type: 'string', default: '0' } },
});
const minutes = Number(values.hours) * 60 + Number(values.minutes);
if (!(minutes > 0)) refuse('Usage: npm run soak -- [--hours <n>] [--minutes <n>]');
await prepareTests();
await provideDatabase();
const spec = 'apps/e2e/src/soak/soak-run.faults.spec.ts';
const code = await runFaultSpec('soak', spec, { minutes });
const report = readReport('soak');
if (report) {
  const { rounds, samples, acknowledged, violations, trends } = JSON.parse(report);
  console.table(
    trends.map(({ name, mean, slope, isFlat }) => ({
      name,
      mean: Number(mean.toPrecision(3)),
      'per hour': Number(slope.toPrecision(2)),
      trend: isFlat ? 'flat' : 'NOT FLAT',
    })),
  );
  console.log(
    `${rounds} rounds, ${samples} of them sampled, ${acknowledged} acknowledged changes, ${violations.length} violations`,
  );
}
process.exit(code);
