import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { reports, runJest } from './jest.mjs';
import { root } from './prepare.mjs';
import { say } from './terminal.mjs';
import { finishTests, prepareTests, provideDatabase } from './test-run.mjs';

// npm run test:stress -- <specs>: runs these specs 20 times beside two busy loops and lists each failure with its run. Without
// specs: those that differ from origin/main, or from the last commit but one. `--runs=5` changes the number of runs.
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20' } },
});
const runs = Number(values.runs);
const specs = named.length > 0 ? named : changedSpecs();
if (specs.length === 0 || !(runs >= 1)) {
  say('No spec of Jest has changed. Usage: npm run test:stress -- [--runs=20] <spec files>');
  process.exit(specs.length === 0 && runs >= 1 ? 0 : 2);
}
const missing = specs.filter((spec) => !existsSync(spec));
if (missing.length > 0) {
  say(`There is no ${missing.join(' and no ')}.`);
  process.exit(2);
}

await prepareTests();
await provideDatabase();
const faults = specs.filter((spec) => spec.endsWith('.faults.spec.ts'));
const others = specs.filter((spec) => !faults.includes(spec));
const failures = [];
let passed = 0;
const loops = [startLoop(), startLoop()];
for (let run = 1; run <= runs; run++) {
  say(`\nrun ${run} of ${runs}`);
  await runOnce(run, others, 2);
  await runOnce(run, faults, 1);
}
for (const loop of loops) loop.kill();
say(`\n${failures.length === 0 ? 'No failures.' : failures.join('\n')}`);
finishTests({ passed, failed: failures.length });

async function runOnce(run, files, workers) {
  if (files.length === 0) return;
  const name = `stress-${run}-${workers}`;
  const code = await runJest(name, [`--maxWorkers=${workers}`, '--runTestsByPath', ...files]);
  const report = join(reports, `${name}.json`);
  const { numPassedTests, testResults } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, testResults: [] };
  passed += numPassedTests;
  const failed = testResults.flatMap((result) => failuresOf(result).map((what) => `run ${run}: ${what}`));
  failures.push(...(failed.length === 0 && code !== 0 ? [`run ${run}: Jest ended with code ${code}`] : failed));
}

/** Names of the failed tests of a file; the file alone if it could not be loaded. */
function failuresOf({ name, status, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults
    .filter((one) => one.status === 'failed')
    .map(({ fullName }) => `${file}: ${fullName}`);
  return failed.length === 0 && status === 'failed' ? [file] : failed;
}

/** Occupies one core until it is killed or this process is gone. */
function startLoop() {
  const script = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++);';
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}

function changedSpecs() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const main = git('merge-base', 'origin/main', 'HEAD');
  const base = main && main !== git('rev-parse', 'HEAD') ? main : 'HEAD~1';
  const changed = git('diff', '--name-only', '--diff-filter=d', base).split('\n');
  // Playwright runs those of the console.
  return changed.filter((file) => file.endsWith('.spec.ts') && !file.startsWith('apps/console/e2e/'));
}
