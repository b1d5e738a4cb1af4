import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the peers live: packages and a lock file of their own, so that no service gets them. */
export const peersFolder = (root: string): string => join(root, 'apps/bench/peers');

/**
 * Installs the peers when that has not been done since their lock file changed.
 * @throws Error saying what npm said
 */
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

/** npm notes what it installed in a file of its own, which is younger than the lock file then. */
function isInstalled(folder: string): boolean {
  const note = join(folder, 'node_modules/.package-lock.json');
  return existsSync(note) && statSync(note).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}
