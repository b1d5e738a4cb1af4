import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedisProgram, freePort } from '@spooled/local';
import { Redis, type RedisOptions } from 'ioredis';
import { testCertificate, testCertificateKey } from './certificate.js';
import { eventually } from './eventually.js';
import type { TestRedisServer } from './test-redis.js';

export interface RedisProcessOptions {
  /** For configuration, data and log; created if missing. */
  folder: string;
  /** Lines of its configuration file besides port and folder. The server itself rewrites the file. */
  settings: string[];
  password: string;
  sentinel?: boolean;
  /** TLS instead of plain connections, also between the servers. */
  tls?: boolean;
}

export interface RedisServersOptions {
  /** With `testCertificate`, and `rediss` in the URL. */
  tls?: boolean;
}

const startTimeoutMs = 20_000;

/** One redis-server of a group, with a configuration file, so that it keeps its role over a restart. */
export class RedisProcess implements TestRedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: RedisProcessOptions,
  ) {}

  static async start(options: RedisProcessOptions): Promise<RedisProcess> {
    const server = new RedisProcess(await freePort(), options);
    mkdirSync(options.folder, { recursive: true });
    const { settings, folder, password } = options;
    const lines = [
      'bind 127.0.0.1',
      ...(options.tls ? server.withTls() : [`port ${server.port}`]),
      `dir "${folder}"`,
      `pidfile "${join(folder, 'redis.pid')}"`,
      `requirepass ${password}`,
      ...(options.sentinel ? [] : ['appendonly yes', 'save ""', 'maxmemory-policy noeviction']),
      ...settings,
      '',
    ];
    writeFileSync(server.configFile, lines.join('\n'));
    await server.start();
    return server;
  }

  get password(): string {
    return this.options.password;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts it again with its data. */
  async start(): Promise<void> {
    if (this.child) return;
    const program = findRedisProgram();
    if (!program) throw new Error('No redis-server or valkey-server on the PATH');
    const log = openSync(this.logFile, 'a');
    // `redis-server --sentinel` needs no package besides the server's.
    const child = spawn(program, [this.configFile, ...(this.options.sentinel ? ['--sentinel'] : [])], {
      cwd: this.options.folder,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    child.once('exit', () => this.child === child && (this.child = undefined));
    for (const end = Date.now() + startTimeoutMs; Date.now() < end && this.child; await sleep(20)) {
      if (await this.ask((redis) => redis.ping()).catch(() => null)) return;
    }
    child.kill('SIGKILL');
    const ending = existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8').slice(-2000) : '';
    throw new Error(`Redis did not start. End of its log:\n${ending}`);
  }

  /** Ends it with this signal, by default as a crash would, and waits for its exit. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }

  /** Stops responding, with open connections, until `resume`. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.kill();
  }

  connect(options: RedisOptions = {}): Redis {
    const redis = new Redis({
      host: '127.0.0.1',
      port: this.port,
      password: this.options.password,
      ...(this.options.tls && { tls: { ca: testCertificate } }),
      ...options,
    });
    redis.on('error', () => undefined);
    return redis;
  }

  /** Runs commands on a connection of its own. */
  async ask<T>(commands: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.connect({
      lazyConnect: true,
      retryStrategy: () => null,
      commandTimeout: 5_000,
      disconnectTimeout: 50,
      enableReadyCheck: false,
    });
    try {
      await redis.connect();
      return await commands(redis);
    } finally {
      redis.disconnect();
    }
  }

  private withTls(): string[] {
    const [certificate, key] = [join(this.options.folder, 'tls.crt'), join(this.options.folder, 'tls.key')];
    writeFileSync(certificate, testCertificate);
    writeFileSync(key, testCertificateKey, { mode: 0o600 });
    return [
      'port 0',
      `tls-port ${this.port}`,
      `tls-cert-file "${certificate}"`,
      `tls-key-file "${key}"`,
      `tls-ca-cert-file "${certificate}"`,
      'tls-auth-clients no',
      'tls-replication yes',
      ...(this.options.sentinel ? [] : ['tls-cluster yes']),
    ];
  }

  private get configFile(): string {
    return join(this.options.folder, 'redis.conf');
  }

  private get logFile(): string {
    return join(this.options.folder, 'redis.log');
  }
}

/** Ends all of them at once. */
export async function endAll(servers: RedisProcess[], signal: NodeJS.Signals): Promise<void> {
  await Promise.all(servers.map((server) => server.kill(signal)));
}

/** Resolves when another server than `before` is the primary. */
export async function untilReplaced(before: RedisProcess, current: () => Promise<RedisProcess>): Promise<void> {
  await eventually(
    async () => {
      if ((await current()) === before) throw new Error('The failover has not happened');
    },
    { timeoutMs: 30_000, everyMs: 100 },
  );
}
