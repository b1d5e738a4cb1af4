import { readFileSync } from 'node:fs';
import { runConsoleTests } from '../../apps/console/test.mjs';
import { runJest, withoutFaults } from './jest.mjs';
import { runNx } from './prepare.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests, provideDatabase } from './test-run.mjs';

// npm test: everything a bare machine lacks, then the checks that are not in Nx's cache and all tests except those of faults.
// Arguments go to one run of Jest (`npm test -- libs/queue`), without the checks. The last line is `N passed, N failed`, where
// the checks count as one.
const jestArguments = process.argv.slice(2);

await prepareTests();
if (jestArguments.length > 0) finishTests(countReports(await runJest('selected', [...jestArguments, withoutFaults])));
await provideDatabase();
const check = await runNx(checkTargets());
say(check === 0 ? 'npm run check: passed.' : 'npm run check: FAILED, see above.');
// Three files at a time keep two cores busy: tests wait for processes, browsers and stores. With five, each took five times as long.
const screens = ['--project=screens', '--workers=1'];
const codes = await Promise.all([runJest('specs', [withoutFaults]), runConsoleTests(screens)]);
const tests = countReports(Math.max(...codes));
finishTests({ passed: tests.passed + (check === 0), failed: tests.failed + (check !== 0) });

/** What `npm run check` passes to Nx, so that both run the same targets. */
function checkTargets() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return scripts.check.split(' ').slice(2);
}
