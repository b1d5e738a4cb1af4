import { spawnSync } from 'node:child_process';
import { changedFiles, contentsOf } from './changed-files.mjs';
import { runJest } from './jest.mjs';
import { bootstrap, exitWith, root } from './prepare.mjs';
import { prepareTests } from './test-run.mjs';

// npm run generate: runs every generator and lists the files that changed. npm run generate:<name> runs one.

/** In order: each may read the output of those above it. Those below `sql` run the built services or specs. */
const generators = {
  grpc: { writes: 'libs/contracts/src/grpc/generated/**/*.ts', run: script('libs/contracts/generate.mjs') },
  sql: { writes: 'libs/**/*.queries.ts', run: script('deploy/local/generate-statements.mjs') },
  openapi: { writes: 'docs/openapi.json', built: true, run: spec('UPDATE_OPENAPI', 'apps/gateway/src/openapi') },
  sdk: { writes: 'libs/sdk/src/generated/routes.ts', run: script('libs/sdk/generate.mjs') },
  chart: {
    writes: 'deploy/{helm/spooled/values.schema.json,kubernetes/{base,components}/**/*.yaml}',
    run: spec('UPDATE_CHART', 'deploy/kubernetes/chart'),
  },
  monitoring: {
    writes: 'deploy/monitoring/dashboard.json',
    run: script('deploy/monitoring/generate.mjs'),
  },
  configuration: { writes: 'docs/configuration.md', built: true, run: script('deploy/local/configuration.mjs') },
  proofs: {
    writes: 'docs/{compatibility,features}.md',
    run: spec('UPDATE_PROOFS', 'apps/e2e/src/compatibility', 'apps/e2e/src/features'),
  },
};

process.chdir(root);
const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in generators));
if (unknown) exitWith(new Error(`Unknown generator "${unknown}": use ${Object.keys(generators).join(', ')}`));
await bootstrap().catch(exitWith);

const all = [];
let prepared = false;
for (const [name, { writes, built, run }] of Object.entries(generators)) {
  if (names.length > 0 && !names.includes(name)) continue;
  if (built && !prepared) await prepareTests();
  prepared ||= built;
  const before = contentsOf(writes);
  const code = await run();
  const changed = changedFiles(before, contentsOf(writes));
  all.push(...changed);
  if (code !== 0) exitWith(new Error(`${name}: failed, see above. ${summary(all)}`));
  console.log(`${name}: ${changed.length === 0 ? 'no change' : `${changed.length} changed`}`);
}
console.log(summary(all));

function script(path) {
  return () => spawnSync(process.execPath, [path], { stdio: 'inherit' }).status;
}

/** Some generators are specs, because they need a running service or the list of specs. They write with `variable` set. */
function spec(variable, ...patterns) {
  return () => runJest('generate', patterns, { [variable]: '1' });
}

function summary(files) {
  return files.length === 0 ? 'Nothing changed.' : ['Changed:', ...new Set(files)].join('\n  ');
}
