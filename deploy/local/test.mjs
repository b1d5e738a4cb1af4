import { readFileSync } from 'node:fs';
import { runJest, withoutFaults } from './jest.mjs';
import { runNx } from './prepare.mjs';
import { say } from './terminal.mjs';
import { countReports, finishTests, prepareTests } from './test-run.mjs';

// npm test: everything a bare machine lacks, then the checks and all tests that are not in Nx's cache. Arguments go to one
// run of Jest (`npm test -- libs/queue`), without checks and cache. The last line is `N passed, N failed`, where the
// checks count as one.
const jestArguments = process.argv.slice(2);

await prepareTests();
if (jestArguments.length > 0) finishTests(countReports(await runJest('selected', [...jestArguments, withoutFaults])));
const check = await runNx(checkTargets());
say(check === 0 ? 'npm run check: passed.' : 'npm run check: FAILED, see above.');
const tests = countReports(await runNx(['run-many', '--targets=test', '--outputStyle=static']));
finishTests({ passed: tests.passed + (check === 0), failed: tests.failed + (check !== 0) });

/** What `npm run check` passes to Nx, so that both run the same targets. */
function checkTargets() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return scripts.check.split(' ').slice(2);
}
