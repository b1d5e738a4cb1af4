import { parseArgs } from 'node:util';
import { readRows, refuse, runFaultSpec } from './fault-run.mjs';
import { providePatroni } from './failover-programs.mjs';
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
)
  refuse('Usage: npm run failover -- [--times <n>] [--switchovers <n>] [--redis <n>] [--asynchronous] [--script]');
const synchronous = !values.asynchronous;
const needsPatroni = !values.script && times + switchovers > 0;
const patroni = needsPatroni
  ? { ...(await providePatroni().catch(({ message }) => refuse(message))), synchronous }
  : null;
await prepareTests();
const spec = 'apps/e2e/src/failover/failover-run.faults.spec.ts';
const code = await runFaultSpec('failover', spec, { times, switchovers, redis, patroni, synchronous });
print(readRows('failover'));
process.exit(code);

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
