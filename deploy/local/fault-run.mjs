import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reports, runJest } from './jest.mjs';

const fileOf = (name) => join(reports, `${name}.data`);

/**
 * Runs one spec of faults with these options, which it finds in `SPOOLED_<NAME>` together with the file for its report.
 * @returns Jest's exit code
 */
export const runFaultSpec = (name, spec, options) =>
  runJest(name, ['--selectProjects=faults', '--runTestsByPath', spec], {
    [`SPOOLED_${name.toUpperCase()}`]: JSON.stringify({ ...options, report: fileOf(name) }),
  });

/** What the spec has reported so far. */
export const readReport = (name) => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '');

/** The same of a spec that reports lines of JSON. The last line may be incomplete. */
export const readRows = (name) =>
  readReport(name)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Ends a script that is called wrongly, or that this machine cannot run. */
export function refuse(message) {
  console.error(message);
  process.exit(2);
}
