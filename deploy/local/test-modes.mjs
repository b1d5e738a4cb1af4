import { runJest } from './jest.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm run test:modes: the end-to-end specs without Redis and with a Redis Cluster, which `npm test` runs with one Redis server.
// Arguments name the modes: `npm run test:modes -- sentinel`. The last line is that of `npm test`.
const named = process.argv.slice(2);

/** These start no stack, or choose their Redis themselves: a second run would show nothing new. */
const ofOneMode = 'bench|compatibility|configuration|features|launcher|module-graph|redis-failover|without-redis';

await prepareTests();
let code = 0;
for (const mode of named.length > 0 ? named : ['none', 'cluster']) {
  say(`\nE2E_REDIS=${mode}`);
  const options = ['--selectProjects=e2e', '--maxWorkers=3', `--testPathIgnorePatterns=src/(${ofOneMode}).spec`];
  code = (await runJest(`e2e-${mode}`, options, { E2E_REDIS: mode })) || code;
}
finishTests(countReports(code));
