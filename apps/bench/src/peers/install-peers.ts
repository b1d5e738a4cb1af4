import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the peers. It has its own packages and lock file, so that they are not installed with the services. */
export const peersFolder = (root: string): string => join(root, 'apps/bench/peers');

/** Installs the peers, unless they are up to date with their lock file. @throws Error with npm's message */
export function installPeers(root: string, say: (line: string) => void): void {
  const folder = peersFolder(root);
  if (isInstalled(folder)) return;
  say(`installing the peers into ${folder}`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { ...process.env, NODE_USE_SYSTEM_CA: '1' },
    encoding: 'utf8',
  });
  if (done.status === 0) return;
  const reason = done.error?.message ?? done.stderr.trim().split('\n').slice(-5).join('\n');
  throw new Error(`The peers could not be installed ("npm ci" in ${folder}): ${reason}`);
}

/** `npm ci` writes node_modules/.package-lock.json, which is newer than the lock file if the installation is up to date. */
function isInstalled(folder: string): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}
