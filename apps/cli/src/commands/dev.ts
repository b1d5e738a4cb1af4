import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../errors.js';
import type { Add, Cli } from '../session/cli.js';

/** Services, console and the binaries of PostgreSQL: too much for everybody who installs the command line. */
const packageName = 'spooled-dev';

/** `spooled dev` (BX-17): a development system with a console, an organization and a key, until Ctrl-C. */
export function addDev(program: Command, add: Add): void {
  add(program, 'dev', `start a development system on this machine, of the package ${packageName}`, dev)
    .option('--port <number>', 'of REST and the console; default 8080, or PORT')
    .option('--data <folder>', 'where data, keys and logs stay; default .spooled, or DATA_DIR');
}

/** @throws Error without the package; Failure if the system, which says why, did not start or end well */
async function dev({ io: { env, signal } }: Cli, { port, data }: { port?: string; data?: string }): Promise<void> {
  const args = [...(port === undefined ? [] : ['--port', port]), ...(data === undefined ? [] : ['--data', data])];
  // It ends when the channel closes, also if this process is killed.
  const child = spawn(process.execPath, [findScript(), ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Failure(`${packageName} ended with ${code}`);
}

/** The program of the package that the project or this command line has beside it. */
function findScript(): string {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve(`${packageName}/package.json`);
      const { bin } = createRequire(from)(manifest) as { bin: Record<string, string> };
      return join(dirname(manifest), bin[packageName]!);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    `The package ${packageName} is not installed: run "npx ${packageName}", or "npm install --save-dev ${packageName}" first`,
  );
}
