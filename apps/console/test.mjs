import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reports, withoutNx } from '../../deploy/local/jest.mjs';

// node apps/console/test.mjs [Playwright's arguments]: the console in a browser with real services; without arguments its screens.
// Arguments are a file, `-g title`, or `--project` (screens, faults, bench).

const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/console/playwright.config.ts'];
const report = join(reports, 'console.json');

/** @returns the exit code of Playwright, which ends with this process */
export function runConsoleTests(args = ['--project=screens']) {
  rmSync(report, { force: true });
  return new Promise((resolve, reject) => {
    const preload = new URL('../../deploy/local/exit-with-parent.mjs', import.meta.url).href;
    const child = spawn(process.execPath, ['--import', preload, ...playwright, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: withoutNx(process.env),
    });
    child.once('error', reject);
    child.once('close', (code) => {
      // No test was found or the configuration is wrong: no reporter has run.
      if (code !== 0 && !existsSync(report)) {
        writeFileSync(report, JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 }));
      }
      resolve(code ?? 1);
    });
  });
}

if (import.meta.main) process.exit(await runConsoleTests(process.argv.length > 2 ? process.argv.slice(2) : undefined));
