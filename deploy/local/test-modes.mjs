import { runJest } from './jest.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests, provideDatabase } from './test-run.mjs';

// npm run test:modes: the end-to-end specs without Redis and with a Redis Cluster, which `npm test` runs with one Redis server.
// Arguments name the modes: `npm run test:modes -- sentinel`. The last line is that of `npm test`.
const named = process.argv.slice(2);

/** These start no stack, or choose their Redis themselves: a second run would show nothing new. */
const ofOneMode =
  'bench.faults|compatibility|configuration|documents|features|launcher.faults|module-graph|redis-failover.faults|without-redis';

await prepareTests();
await provideDatabase();
let code = 0;
for (const mode of named.length > 0 ? named : ['none', 'cluster']) {
  say(`\nE2E_REDIS=${mode}`);
  code = (await runMode(mode, 'e2e', 2)) || code;
  code = (await runMode(mode, 'faults', 1)) || code;
}
finishTests(countReports(code));

function runMode(mode, project, workers) {
  const specs = [`--testPathIgnorePatterns=src/(${ofOneMode}).spec`, '--testPathPatterns=apps/e2e/src'];
  const options = [`--selectProjects=${project}`, `--maxWorkers=${workers}`, ...specs];
  return runJest(`${project}-${mode}`, options, { E2E_REDIS: mode });
}
