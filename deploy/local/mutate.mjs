import { spawn } from 'node:child_process';
import { bootstrap, exitWith } from './prepare.mjs';

// npm run mutate -- <Stryker's arguments>: mutation tests of libs/domain, see docs/mutation.md. On this project's Node.
await bootstrap().catch(exitWith);
const child = spawn(
  process.execPath,
  ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
child.once('close', (code) => process.exit(code ?? 1));
