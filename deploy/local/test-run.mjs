import { existsSync, readdirSync, rmSync } from 'node:fs';
import { countsOf, reports } from './jest.mjs';
import { bootstrap, build, root } from './prepare.mjs';
import { say, step } from './terminal.mjs';

/** Provides everything that tests need and a bare machine lacks, and removes the reports of earlier runs. Ends the script when it cannot. */
export async function prepareTests() {
  process.chdir(root);
  try {
    await bootstrap();
    await build();
    await provideRedis();
  } catch (error) {
    say(`\n${error.message}\n`);
    finishTests({ passed: 0, failed: 1 });
  }
  rmSync(reports, { recursive: true, force: true });
}

async function provideRedis() {
  const { findRedisProgram, installRedisProgram } = await import('../../dist/local/main.js');
  if (findRedisProgram()) return;
  const program = await step('providing Redis', () => installRedisProgram(say));
  if (!program) throw new Error('The tests need redis-server or valkey-server on the PATH.');
}

/** The sum of all reports; a run that failed without a failed test counts as one. */
export function countReports(code) {
  const all = (existsSync(reports) ? readdirSync(reports) : []).map(countsOf);
  const passed = all.reduce((sum, report) => sum + report.passed, 0);
  const failed = all.reduce((sum, report) => sum + report.failed, 0);
  return { passed, failed: failed || (code === 0 ? 0 : 1) };
}

/** Prints the last line and ends the script. */
export function finishTests({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
