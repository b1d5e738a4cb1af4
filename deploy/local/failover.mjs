import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { providePatroni } from './failover-programs.mjs';
import { reports, runJest } from './jest.mjs';
import { prepareTests } from './test-run.mjs';

// npm run failover -- [--times 20] [--switchovers 3] [--redis 5] [--asynchronous] [--script]: replaces the primary of PostgreSQL as often
// under load, and that of Redis behind Sentinel and in a Cluster, and prints what callers saw. `--asynchronous` measures what is lost
// without synchronous replication. `--script` promotes the replica itself, without Patroni.

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    switchovers: { type: 'string', default: '3' },
    redis: { type: 'string', default: '5' },
    asynchronous: { type: 'boolean', default: false },
    script: { type: 'boolean', default: false },
  },
});
const [times, switchovers, redis] = [values.times, values.switchovers, values.redis].map(Number);
if (
  ![times, switchovers, redis].every((count) => Number.isInteger(count) && count >= 0) ||
  !(times + switchovers + redis)
) {
  console.error(
    'Usage: npm run failover -- [--times <n>] [--switchovers <n>] [--redis <n>] [--asynchronous] [--script]',
  );
  process.exit(2);
}
const synchronous = !values.asynchronous;
const needsPatroni = !values.script && times + switchovers > 0;
const patroni = needsPatroni ? { ...(await providePatroni().catch(giveUp)), synchronous } : null;
await prepareTests();
mkdirSync(reports, { recursive: true });
const report = join(reports, 'failover.jsonl');
const spec = 'apps/e2e/src/failover/failover-run.faults.spec.ts';
const code = await runJest('failover', ['--selectProjects=faults', '--runTestsByPath', spec], {
  SPOOLED_FAILOVER: JSON.stringify({ times, switchovers, redis, patroni, synchronous, report }),
});
print(
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [],
);
process.exit(code);

function giveUp(error) {
  console.error(error.message);
  process.exit(2);
}

function print(rounds) {
  const rows = [...Map.groupBy(rounds, ({ fault }) => fault)].map(([fault, same]) => {
    const gaps = same.map(({ gapMs }) => gapMs / 1000).sort((a, b) => a - b);
    const broken = (rule) => same.flatMap(({ violations }) => violations).filter((each) => !rule || each.rule === rule);
    return {
      fault,
      rounds: same.length,
      calls: sum(same.map(({ calls }) => calls)),
      acknowledged: sum(same.map(({ acknowledged }) => acknowledged)),
      lost: broken('nothingLost').length,
      'completed twice': broken('acceptedOnce').length,
      violations: broken().length,
      'gap p50 (s)': Number(gaps[Math.floor((gaps.length - 1) / 2)].toFixed(1)),
      'gap max (s)': Number(gaps.at(-1).toFixed(1)),
      errors: errorsOf(same),
    };
  });
  console.table(rows);
}

function errorsOf(rounds) {
  const kinds = Map.groupBy(
    rounds.flatMap(({ errors }) => Object.entries(errors)),
    ([kind]) => kind,
  );
  return [...kinds].map(([kind, all]) => `${sum(all.map(([, count]) => count))} × ${kind}`).join(', ');
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
