import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, type StoreServer } from '@spooled/local';
import {
  childrenOf,
  copyServer,
  createOwnDatabase,
  createServerFolder,
  eventually,
  replicated,
  startReplica,
  startTcpProxy,
  trySignal,
} from '@spooled/testing';
import pg from 'pg';
import type { DatabaseCluster } from './database-cluster.js';

const slow = { timeoutMs: 60_000, everyMs: 50 };

/**
 * Two PostgreSQL of the npm package behind a TCP proxy; this program promotes the replica and leads the proxy to it.
 * @param synchronous whether commits wait for the replica
 */
export async function startScriptedCluster(synchronous: boolean): Promise<DatabaseCluster> {
  const { folder, remove } = createServerFolder('spooled-promotion-');
  const first = join(folder, '0');
  const primary = await startPostgres({
    folder: first,
    password: 'postgres',
    durable: false,
    settings: replicated,
  });
  const urls = await createOwnDatabase(primary.url);
  const cluster = new ScriptedCluster(folder, { server: primary, folder: first }, synchronous);
  // Connections to a server that has gone are closed by their end.
  const proxy = await startTcpProxy(() => cluster.url);
  await cluster.heal();
  return {
    urls: {
      ...urls,
      superuserUrl: proxy.through(urls.superuserUrl),
      appUrl: proxy.through(urls.appUrl),
      systemUrl: proxy.through(urls.systemUrl),
    },
    killPrimary: () => cluster.killPrimary(),
    heal: () => cluster.heal(),
    switchOver: () => cluster.switchOver(),
    stop: async () => {
      proxy.close();
      await cluster.stop();
      remove();
    },
  };
}

interface Server {
  server: StoreServer;
  folder: string;
}

class ScriptedCluster {
  private replica: Server | undefined;
  private servers = 1;

  constructor(
    private readonly folder: string,
    private primary: Server,
    private readonly synchronous: boolean,
  ) {}

  get url(): string {
    return this.primary.server.url;
  }

  async killPrimary(): Promise<void> {
    const { pid } = this.primary.server.process;
    const killed = [pid, ...childrenOf(pid)];
    for (const each of killed) trySignal(each, 'SIGKILL');
    await this.promote();
  }

  async switchOver(): Promise<void> {
    await this.primary.server.stop();
    await this.promote();
  }

  /** The new primary has no replica until `heal`, so its commits wait for none. */
  private async promote(): Promise<void> {
    const lost = this.primary;
    this.primary = this.replica!;
    this.replica = undefined;
    const { url } = this.primary.server;
    await ask(url, 'SELECT pg_promote()');
    await ask(url, 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
    await rm(lost.folder, { recursive: true });
  }

  async heal(): Promise<void> {
    const folder = join(this.folder, String(this.servers++));
    const { url } = this.primary.server;
    await copyServer(url, { from: this.primary.folder, to: folder, startsAs: 'standby' });
    this.replica = { server: await startReplica(folder, this.primary.server), folder };
    if (this.synchronous) await ask(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
    const replicas = `SELECT FROM pg_stat_replication WHERE sync_state = '${this.synchronous ? 'sync' : 'async'}'`;
    await eventually(async () => expect(await ask(url, replicas)).toBe(1), slow);
  }

  async stop(): Promise<void> {
    await this.replica?.server.stop();
    await this.primary.server.stop();
  }
}

/** @returns the rows of the last statement */
async function ask(url: string, ...statements: string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows = 0;
    for (const statement of statements) rows = (await client.query(statement)).rowCount ?? 0;
    return rows;
  } finally {
    await client.end();
  }
}
