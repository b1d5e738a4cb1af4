import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceName } from '@spooled/local';
import {
  defaultTimeouts,
  type PausableDatabase,
  Receiver,
  type Stack,
  startPausableDatabase,
  startPgBouncer,
  startStack,
  startTcpProxy,
  type TcpProxy,
  type TestPgBouncer,
} from '@spooled/testing';
import pg from 'pg';
import type { GatewayAddress } from './gateways.js';

/** Processes of each service. */
export const replicas = { gateway: 2, engine: 2, scheduler: 2, webhooks: 1, realtime: 1 } as const;

/** What is connected by TCP, with a proxy in between. */
export const connections = [
  'callers–gateways',
  'services–Redis',
  'services–PgBouncer',
  'PgBouncer–PostgreSQL',
  'gateways–services',
] as const;
export type Connection = (typeof connections)[number];

/** PostgreSQL has a disk of its own where that is possible. */
const diskMb = 700;
const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const clockOffset = pathToFileURL(join(import.meta.dirname, 'clock-offset.mjs')).href;

/** The services with two processes each, PostgreSQL, PgBouncer and Redis; a TCP proxy between all of them. */
export class ChaosSystem {
  readonly hasDisk = canMount;
  private readonly proxies = new Map<Connection, TcpProxy[]>();
  stack!: Stack;
  receiver!: Receiver;
  pooler!: TestPgBouncer;
  superuser!: pg.Pool;
  gateways: GatewayAddress[] = [];

  private constructor(readonly database: PausableDatabase) {}

  /** @throws Error with the last lines of what did not start */
  static async start(): Promise<ChaosSystem> {
    const settings = { max_wal_size: '160MB', max_connections: 150 };
    const database = await startPausableDatabase({ durable: true, settings, ...(canMount && { diskMb }) });
    const system = new ChaosSystem(database);
    try {
      await system.startParts();
    } catch (error) {
      await system.close();
      throw error;
    }
    return system;
  }

  /** The proxies of a kind of connection, one for each pair of processes. */
  proxiesOf(connection: Connection): TcpProxy[] {
    return this.proxies.get(connection) ?? [];
  }

  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(sql, parameters)).rows;
  }

  async close(): Promise<void> {
    await this.superuser?.end();
    await this.stack?.stop();
    await this.pooler?.stop();
    for (const proxy of [...this.proxies.values()].flat()) proxy.close();
    await this.receiver?.close();
    await this.database.drop();
  }

  private async startParts(): Promise<void> {
    const { database } = this;
    this.receiver = await Receiver.open();
    this.superuser = new pg.Pool({ connectionString: database.superuserUrl, max: 4, application_name: 'chaos' });
    this.superuser.on('error', () => undefined);
    const toDatabase = await this.proxy('PgBouncer–PostgreSQL', database.superuserUrl);
    this.pooler = await startPgBouncer({
      appUrl: toDatabase.through(database.appUrl),
      systemUrl: toDatabase.through(database.systemUrl),
    });
    const internal = {
      realtime: await this.proxy('gateways–services', () => this.stack.serviceUrl('realtime')),
      webhooks: await this.proxy('gateways–services', () => this.stack.serviceUrl('webhooks')),
    };
    const ofProcesses = await this.proxiesOfProcesses();
    this.stack = await startStack({
      database,
      gateways: replicas.gateway,
      engines: replicas.engine,
      schedulers: replicas.scheduler,
      env: { ...defaultTimeouts, SHUTDOWN_DRAIN_SECS: '1', NODE_OPTIONS: `--import=${clockOffset}` },
      envOf: ({ redisUrl }, service, index) => {
        this.redisUrl = redisUrl!;
        const { redis, pooler } = ofProcesses.get(`${service}-${index}`)!;
        return {
          REDIS_URL: redis.through(redisUrl!),
          DATABASE_URL: pooler.through(database.appUrl),
          // Wake-ups pass no pooler.
          DATABASE_LISTEN_URL: toDatabase.through(database.appUrl),
          DATABASE_SYSTEM_URL: pooler.through(database.systemUrl),
          REALTIME_URL: internal.realtime.through('http://127.0.0.1'),
          WEBHOOKS_URL: internal.webhooks.through('http://127.0.0.1'),
        };
      },
    });
    for (const [index, url] of this.stack.baseUrls.entries()) {
      const proxy = await this.proxy('callers–gateways', url);
      const readyUrl = `${this.stack.metricsUrl('gateway', index)}/health/ready`;
      this.gateways.push({ url: proxy.through(url).replace(/\/$/, ''), readyUrl });
    }
  }

  private redisUrl = '';

  private async proxiesOfProcesses() {
    const found = new Map<string, { redis: TcpProxy; pooler: TcpProxy }>();
    for (const service of Object.keys(replicas) as ServiceName[]) {
      for (let index = 0; index < replicas[service]; index++) {
        const pooled = this.pooler.through(this.database.appUrl);
        found.set(`${service}-${index}`, {
          redis: await this.proxy('services–Redis', () => this.redisUrl),
          pooler: await this.proxy('services–PgBouncer', pooled),
        });
      }
    }
    return found;
  }

  private async proxy(connection: Connection, url: string | (() => string)): Promise<TcpProxy> {
    const proxy = await startTcpProxy(url);
    this.proxies.set(connection, [...this.proxiesOf(connection), proxy]);
    return proxy;
  }
}
