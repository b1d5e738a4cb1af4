import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StartError } from '@spooled/domain';
import { Redis } from 'ioredis';
import { freePort, keptPort } from './ports.js';
import { openPrivateLog, privateFolder } from './private-files.js';
import { identify, isRunning, type ProcessIdentity } from './processes.js';
import { type StoreServer, storeServer, untilReady } from './store-server.js';

export interface RedisOptions {
  /** Folder for data, log and stored port; created if missing. */
  folder: string;
  /** Fixed port; without it a free one is chosen and stored in `folder`. */
  port?: number;
  password?: string;
  /** Append-only file with an fsync every second (default), or no persistence. */
  persistent?: boolean;
  /** Program to run; without it the first server on the PATH. */
  program?: string;
  say?: (line: string) => void;
}

const stopping = { signal: 'SIGTERM', graceMs: 5_000 } as const;

/** The first Redis-compatible server on the PATH, or null. */
export function findRedisProgram(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];
  const candidates = ['redis-server', 'valkey-server'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

/** @throws StartError without a server to start or to use */
export function requireRedisProgram(url = process.env.REDIS_URL, program = findRedisProgram()): void {
  if (url || program) return;
  throw new StartError({
    finding: 'Redis is missing',
    remedy: 'install redis-server or valkey-server, or set REDIS_URL to the address of a server',
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** As root on Debian or Ubuntu: installs the distribution's Redis. Returns the program, or null if that is not possible. */
export function installRedisProgram(say: (line: string) => void): string | null {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return null;
  say('installing redis-server with apt-get');
  // The package would start a server on port 6379; policy-rc.d prevents it (101 = action forbidden).
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { env, encoding: 'utf8' });
  let done = install();
  if (done.status !== 0) {
    spawnSync('apt-get', ['update'], { env });
    done = install();
  }
  if (done.status !== 0) say(`apt-get could not install redis-server: ${done.stderr.trim().split('\n').at(-1)}`);
  return findRedisProgram();
}

/**
 * Starts a Redis on 127.0.0.1, or takes over the one that already serves this folder.
 *
 * @throws Error when there is no program, or with the end of the server's log when it does not start
 */
export async function startRedis(options: RedisOptions): Promise<StoreServer> {
  const program = options.program ?? findRedisProgram();
  if (!program) throw new Error('No redis-server or valkey-server on the PATH');
  privateFolder(options.folder);
  const note = join(options.folder, 'redis.json');
  return (await leftoverServer(note, options.password)) ?? launch(program, note, options);
}

async function launch(program: string, note: string, options: RedisOptions): Promise<StoreServer> {
  const { folder, password, persistent = true } = options;
  const port = options.port ?? (persistent ? await keptPort(join(folder, 'redis.port')) : await freePort());
  const { path: logFile, file: log } = openPrivateLog(join(folder, 'logs'), 'redis.log');
  // Settings are passed on standard input, so that the password appears in no process list.
  const child = spawn(program, ['-'], { cwd: folder, detached: true, stdio: ['pipe', log, log] });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(settingsOf({ folder, port, password, persistent }));
  child.unref();
  const found = child.pid === undefined ? null : identify(child.pid);
  if (found) writeFileSync(note, JSON.stringify({ ...found, port }));
  const url = urlOf(port, password);
  await untilReady(child, { name: 'Redis', logFile, withinMs: 30_000 }, () => answers(url));
  return storeServer({ process: found as ProcessIdentity, url, port, adopted: false }, stopping);
}

function settingsOf({ folder, port, password, persistent }: RedisOptions): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir "${folder}"`,
    `pidfile "${join(folder, 'redis.pid')}"`,
    'save ""',
    `appendonly ${persistent ? 'yes' : 'no'}`,
    // Streams and delivery queues must not lose entries to eviction; full memory is an error for callers instead.
    'maxmemory-policy noeviction',
    ...(password ? [`requirepass ${password}`] : []),
    '',
  ].join('\n');
}

async function leftoverServer(note: string, password?: string): Promise<StoreServer | null> {
  if (!existsSync(note)) return null;
  const { port, ...process } = JSON.parse(readFileSync(note, 'utf8')) as ProcessIdentity & { port: number };
  if (!isRunning(process)) return null;
  const server = storeServer({ process, url: urlOf(port, password), port, adopted: true }, stopping);
  if (await answers(server.url)) return server;
  await server.stop();
  return null;
}

/** False while the server is not listening yet or is loading its data. */
async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    connectTimeout: 2_000,
    // How long a closed connection may keep this process alive.
    disconnectTimeout: 50,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

const urlOf = (port: number, password?: string): string =>
  `redis://${password ? `:${encodeURIComponent(password)}@` : ''}127.0.0.1:${port}`;
