import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, build, root } from './prepare.mjs';
import { say, step } from './terminal.mjs';

// npm test: everything a bare machine lacks, then the checks and all tests. Arguments go to Jest (`npm test -- libs/queue`);
// the checks are left out then. The last line is `N passed, N failed`, where the checks count as one.
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
const checks = jestArguments.length === 0 ? await runChecks() : { passed: 0, failed: 0 };
const tests = await runJest();
finish({ passed: checks.passed + tests.passed, failed: checks.failed + tests.failed });

async function provideRedis() {
  const { findRedisProgram, installRedisProgram } = await import('../../dist/local/main.js');
  if (findRedisProgram()) return;
  const program = await step('providing Redis', () => installRedisProgram(say));
  if (!program) throw new Error('The tests need redis-server or valkey-server on the PATH.');
}

async function runChecks() {
  const ok = (await run('npm', ['run', '--silent', 'check'])) === 0;
  say(ok ? 'Format, lint, types and dead code: fine.' : 'Format, lint, types or dead code: FAILED, see above.');
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-jest-'));
  const report = join(folder, 'report.json');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const code = await run(process.execPath, [...node, '--ci', '--json', `--outputFile=${report}`, ...jestArguments]);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  rmSync(folder, { recursive: true });
  if (!counts) return { passed: 0, failed: 1 };
  // A spec file that cannot even be loaded has no failed test.
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  return { passed: counts.numPassedTests, failed: failed || (code === 0 ? 0 : 1) };
}

/** Runs a program in sight; resolves with its exit code. Ctrl-C reaches it through the terminal. */
function run(program, args) {
  return new Promise((resolve, reject) => {
    // Jest prints its report on standard output as well when asked for JSON; the file is enough.
    const child = spawn(program, args, {
      stdio: ['ignore', args.includes('--json') ? 'ignore' : 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function finish({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
