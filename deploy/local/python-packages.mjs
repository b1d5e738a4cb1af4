import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { step } from './terminal.mjs';

/**
 * Installs packages of PyPI into a folder of their own, unless it is there.
 * @param what stands beside the progress: "installing <what>"
 * @throws Error with what pip says
 */
export async function providePythonPackages({ python, folder, packages, what }) {
  if (!existsSync(folder)) await step(`installing ${what} from PyPI`, () => install(python, folder, packages));
}

function install(python, folder, packages) {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true, mode: 0o755 });
  const args = ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--target', unfinished, ...packages];
  const done = spawnSync(python, args, { encoding: 'utf8' });
  if (done.status !== 0) {
    rmSync(unfinished, { recursive: true });
    throw new Error(`pip could not install ${packages.join(' ')}: ${done.stderr || done.error}`);
  }
  // Another account may use them: PostgreSQL does not run as root.
  if (process.getuid?.() === 0) spawnSync('chmod', ['-R', 'a+rX', unfinished]);
  renameSync(unfinished, folder);
}
