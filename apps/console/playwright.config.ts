import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** Browsers of the system, so that none is downloaded. The one without windows needs a third less processor time. */
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function findBrowser(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isProgram);
  if (!found) throw new Error(`The tests of the console need one of ${programs.join(', ')} on the PATH`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const launchOptions = {
  executablePath: findBrowser(),
  // Without the sandbox, which needs more rights than containers have, and without a graphics card.
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
};
/** A page lives for seconds, and its code changes with each test: what V8's optimizing compilers take, they do not save. */
const short = { ...launchOptions, args: [...launchOptions.args, '--js-flags=--no-opt --no-maglev'] };

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/setup/global-setup.mjs',
  outputDir: '../../dist/console-tests',
  workers: 2,
  projects: [
    // One context for all tests, emptied between them: with a new one each test would load and compile the console again.
    { name: 'screens', testIgnore: /\.faults\.spec/, use: { reuseContext: true, launchOptions: short } },
    // `npm run test:faults`: stops services.
    { name: 'faults', testMatch: /\.faults\.spec/, workers: 1 },
    // `npm run bench:console`: measures, so that nothing else may run beside it.
    { name: 'bench', testMatch: /\.bench\.ts$/, workers: 1 },
  ],
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // On a machine with other work tests take up to 30 s.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./e2e/setup/count-results.ts']],
  use: {
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions,
  },
});
