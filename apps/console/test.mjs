import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reports, runJest } from '../../deploy/local/jest.mjs';

// node apps/console/test.mjs [Playwright's arguments]: the console's own functions, then the console in a browser with real services.

const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/console/playwright.config.ts'];
const report = join(reports, 'console.json');

/** Nx tells its tasks about itself; the services of the tests must not differ by that. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NX_|FORCE_COLOR$)/.test(name)));

function runBrowserTests(args) {
  rmSync(report, { force: true });
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...playwright, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env });
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

const args = process.argv.slice(2);
const units = args.length > 0 ? 0 : await runJest('console-units', ['--maxWorkers=1', './apps/console/src/']);
const browser = await runBrowserTests(args);
process.exit(units || browser);
