import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runConsoleTests } from '../../apps/console/test.mjs';
import { runJest, withoutFaults } from './jest.mjs';
import { root, runNx } from './prepare.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests, provideDatabase } from './test-run.mjs';

// npm test: everything a bare machine lacks, then all tests except those of faults, and beside them the checks that are not in Nx's cache.
// Arguments go to one run of Jest (`npm test -- libs/queue`), without the checks. The last line is `N passed, N failed`, where
// the checks count as one.
const jestArguments = process.argv.slice(2);

await prepareTests();
if (jestArguments.length > 0) finishTests(countReports(await runJest('selected', [...jestArguments, withoutFaults])));
await provideDatabase();
// Three files at a time keep two cores busy: tests wait for processes, browsers and stores. With five, each took five times as long.
// The screens end some minutes before the specs; the checks take their place.
const screens = runConsoleTests(['--project=screens', '--workers=1']);
const [check, ...codes] = await Promise.all([screens.then(runChecks), runJest('specs', [withoutFaults]), screens]);
const tests = countReports(Math.max(...codes));
if (check.failed) say(`\n${check.output}\nnpm run check: FAILED, see above.`);
finishTests({ passed: tests.passed + !check.failed, failed: tests.failed + check.failed });

/** What `npm run check` runs. Its output is for the end, where those of the tests do not hide it. */
async function runChecks() {
  const file = join(root, 'dist/check.log');
  mkdirSync(dirname(file), { recursive: true });
  const log = openSync(file, 'w');
  const code = await runNx(checkTargets(), log);
  closeSync(log);
  if (code === 0) say('npm run check: passed.');
  return { failed: code !== 0, output: readFileSync(file, 'utf8') };
}

/** Without the specs that compare documents, which Jest runs here anyway. */
function checkTargets() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, , ...args] = scripts.check.split(' ');
  return args.map((arg) => arg.replace(',proofs', ''));
}
