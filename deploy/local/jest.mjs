import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

// node deploy/local/jest.mjs <Jest's arguments>: the `test` target of a project; its report goes to dist/tests.

const root = join(import.meta.dirname, '../..');
/** A run that a spec starts has a folder of its own, so that it does not remove the reports of the run that it belongs to. */
export const reports = process.env.SPOOLED_TEST_REPORTS ?? join(root, 'dist/tests');
/** Last among arguments, because Jest takes what follows as further projects. `npm run test:faults` runs these specs. */
export const withoutFaults = '--ignoreProjects=faults';
// Jest passes the first two on to its workers. With V8's default of 16 MB for new objects they take an eighth more CPU.
const flags = [
  '--max-semi-space-size=64',
  ...['--import', new URL('exit-with-parent.mjs', import.meta.url).href],
  'node_modules/jest/bin/jest.js',
];

/**
 * Runs Jest on this Node in sight, with `more` environment. It ends with this process.
 * @returns its exit code; the report of what passed and failed is below `reports`
 */
export async function runJest(project, args, more = {}) {
  const report = join(reports, `${project}.json`);
  rmSync(report, { force: true });
  mkdirSync(dirname(report), { recursive: true });
  // Jest prints its report on standard output as well when asked for JSON; the file is enough.
  const options = ['--ci', '--passWithNoTests', '--json', `--outputFile=${report}`];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = spawn(process.execPath, [...flags, ...options, ...args], {
    stdio,
    env: { ...withoutNx(process.env), ...more },
  });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

/** Nx tells its tasks about itself and asks them for colours; what specs start must not differ by that. */
export const withoutNx = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(NX_|FORCE_COLOR$)/.test(name)));

if (import.meta.main)
  process.exit(
    await runJest(process.env.NX_TASK_TARGET_PROJECT ?? 'selected', [...process.argv.slice(2), withoutFaults]),
  );
