import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { reports } from './jest.mjs';
import { npmParent } from './npm-parent.mjs';
import { bootstrap, build, root } from './prepare.mjs';
import { say, step } from './terminal.mjs';

const npm = npmParent();

/** Provides everything that tests need and a bare machine lacks, and removes the reports of earlier runs. Ends the script when it cannot. */
export async function prepareTests() {
  process.chdir(root);
  try {
    await bootstrap();
    endWhenInterrupted();
    await build();
    await compile();
    await provideRedis();
  } catch (error) {
    say(`\n${error.message}\n`);
    finishTests({ passed: 0, failed: 1 });
  }
  rmSync(reports, { recursive: true, force: true });
}

/** All processes of a run end with it, also when it is killed (exit-with-parent.mjs, libs/testing/src/server-folder.ts). */
function endWhenInterrupted() {
  npm?.onEnd(() => process.exit(1));
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code));
}

/** One PostgreSQL for all processes of this run, unless SPOOLED_TEST_DATABASE_URL names one. */
export async function provideDatabase() {
  // Later, because a bare machine has no packages when this module is loaded. Named in parts: Nx would call the library lazy-loaded.
  const setUp = ['libs', 'testing', 'src', 'global-setup.mjs'].join('/');
  const { startTestServer } = await import(`../../${setUp}`);
  await step('starting PostgreSQL', () => startTestServer());
}

async function compile() {
  const { compileServices } = await import('../../dist/local/main.js');
  await compileServices(root);
}

async function provideRedis() {
  const { findRedisProgram, installRedisProgram } = await import('../../dist/local/main.js');
  if (findRedisProgram()) return;
  const program = await step('providing Redis', () => installRedisProgram(say));
  if (!program) throw new Error('The tests need redis-server or valkey-server on the PATH.');
}

function readReports() {
  const files = existsSync(reports) ? readdirSync(reports) : [];
  return files.map((file) => JSON.parse(readFileSync(join(reports, file), 'utf8')));
}

/** The sum of all reports; a run that failed without a failed test counts as one. */
export function countReports(code) {
  const all = readReports();
  const passed = all.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
  // A spec file that cannot even be loaded has no failed test.
  const failed = all.reduce((sum, report) => sum + report.numFailedTests + report.numRuntimeErrorTestSuites, 0);
  return { passed, failed: failed || (code === 0 ? 0 : 1) };
}

/** Prints the slowest files of a run of many, and the last line, and ends the script. */
export function finishTests({ passed, failed }) {
  const files = readReports().flatMap(({ testResults = [] }) => testResults);
  const slowest = files.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
  if (files.length > 10) {
    say('\nThe slowest files:');
    for (const { name, ms } of slowest.sort((a, b) => b.ms - a.ms).slice(0, 10))
      say(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
