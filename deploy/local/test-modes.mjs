import { readdirSync, readFileSync } from 'node:fs';
import { runJest } from './jest.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm run test:modes: the end-to-end specs without Redis and with a Redis Cluster, which `npm test` runs with one Redis server.
// Arguments name the modes: `npm run test:modes -- sentinel`. The last line is that of `npm test`.
const named = process.argv.slice(2);

await prepareTests();
let code = 0;
for (const mode of named.length > 0 ? named : ['none', 'cluster']) {
  say(`\nE2E_REDIS=${mode}`);
  const options = ['--selectProjects=e2e', '--maxWorkers=3', ...specsOfStacks()];
  code = (await runJest(`e2e-${mode}`, options, { E2E_REDIS: mode })) || code;
}
finishTests(countReports(code));

/** The specs that start a stack with the Redis of the mode. Others start none, or choose their Redis themselves. */
function specsOfStacks() {
  const folder = 'apps/e2e/src';
  const specs = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  const texts = specs.map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') }));
  return texts.filter(({ text }) => text.includes('startStack(') && !/\bredis:/.test(text)).map(({ path }) => path);
}
