import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readReport, refuse, runFaultSpec } from './fault-run.mjs';
import { prepareTests } from './test-run.mjs';
import { providePythonPackages } from './python-packages.mjs';

// npm run fuzz -- [--seconds 300] [--seed <number>]: Schemathesis makes requests from the OpenAPI document, valid and invalid ones, and
// asks that none is answered 5xx or outside of the document.

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds);
const seed = values.seed ?? String(Date.now());
if (!Number.isInteger(seconds) || seconds < 1 || !/^\d+$/.test(seed))
  refuse('Usage: npm run fuzz -- [--seconds <n>] [--seed <n>]');
const python = 'python3';
if (spawnSync(python, ['-m', 'pip', '--version']).status !== 0)
  refuse('Python 3 with pip is missing: install with "apt-get install -y python3 python3-pip".');
const version = '4.32.5';
const folder = join(homedir(), '.cache/spooled', `schemathesis-${version}`);
const packages = [`schemathesis==${version}`];
await providePythonPackages({ python, folder, packages, what: 'Schemathesis' }).catch(({ message }) => refuse(message));
await prepareTests();
const spec = 'apps/e2e/src/generated-requests/generated-requests.faults.spec.ts';
const code = await runFaultSpec('fuzz', spec, { python, folder, seconds, seed });
const report = readReport('fuzz');
if (report) console.log(report);
process.exit(code);
