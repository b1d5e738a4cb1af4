import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { countsOf, reports, runJest } from './jest.mjs';
import { bootstrap, build, root, runNx } from './prepare.mjs';
import { say, step } from './terminal.mjs';

// npm test: everything a bare machine lacks, then the checks and all tests that are not in Nx's cache. Arguments go to one
// run of Jest (`npm test -- libs/queue`), without checks and cache. The last line is `N passed, N failed`, where the
// checks count as one.
process.chdir(root);
const jestArguments = process.argv.slice(2);

try {
  await bootstrap();
  await build();
  await provideRedis();
} catch (error) {
  say(`\n${error.message}\n`);
  finish({ passed: 0, failed: 1 });
}
rmSync(reports, { recursive: true, force: true });
if (jestArguments.length > 0) finish(counted(await runJest('selected', jestArguments)));
const check = await runNx(checkTargets());
say(check === 0 ? 'npm run check: passed.' : 'npm run check: FAILED, see above.');
const tests = counted(await runNx(['run-many', '--targets=test', '--outputStyle=static']));
finish({ passed: tests.passed + (check === 0), failed: tests.failed + (check !== 0) });

/** What `npm run check` passes to Nx, so that both run the same targets. */
function checkTargets() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return scripts.check.split(' ').slice(2);
}

async function provideRedis() {
  const { findRedisProgram, installRedisProgram } = await import('../../dist/local/main.js');
  if (findRedisProgram()) return;
  const program = await step('providing Redis', () => installRedisProgram(say));
  if (!program) throw new Error('The tests need redis-server or valkey-server on the PATH.');
}

/** The sum of all reports; a run that failed without a failed test counts as one. */
function counted(code) {
  const all = (existsSync(reports) ? readdirSync(reports) : []).map(countsOf);
  const passed = all.reduce((sum, report) => sum + report.passed, 0);
  const failed = all.reduce((sum, report) => sum + report.failed, 0);
  return { passed, failed: failed || (code === 0 ? 0 : 1) };
}

function finish({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
