import { spawn } from 'node:child_process';
import startTestServer from '../../libs/testing/src/global-setup.mjs';
import stopTestServer from '../../libs/testing/src/global-teardown.mjs';
import { bootstrap, exitWith } from './prepare.mjs';

// npm run mutate -- <Stryker's arguments>, or -- --sql <files>: mutation tests, see docs/mutation.md. On this project's Node.
await bootstrap().catch(exitWith);

if (process.argv.includes('--sql')) {
  await startTestServer();
  const { mutateSql } = await import('./mutation/mutate-sql.mjs');
  const code = await mutateSql(process.argv.slice(2).filter((arg) => arg !== '--sql'));
  await stopTestServer();
  process.exit(code);
}

/** `--mutate` replaces the list of the configuration, with what it leaves out. */
const excluded = ['spec', 'fixture', 'queries'].map((kind) => `!**/*.${kind}.ts`);
const args = process.argv.slice(2).map((arg, i, all) => (all[i - 1] === '--mutate' ? [arg, ...excluded].join() : arg));
const library = /libs\/([\w-]+)\//.exec(args.join())?.[1];
if (library) process.env.MUTATE_LIBRARY ??= library;
const needsServer = (process.env.MUTATE_LIBRARY ?? 'domain') !== 'domain';

// One server for all mutants, each with databases of its own, cloned from one template.
if (needsServer) await startTestServer();
const child = spawn(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', ...args], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('close', async (code) => {
  if (needsServer) await stopTestServer();
  process.exit(code ?? 1);
});
