import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, serverAccount } from '@spooled/local';
import { createOwnDatabase, createServerFolder, eventually, startPgBouncer, type TestDatabase } from '@spooled/testing';
import { ClusterProcess } from './cluster-process.js';
import type { DatabaseCluster } from './database-cluster.js';
import { PatroniNode, type PatroniPrograms, superuserPassword } from './patroni-node.js';

export interface PatroniOptions extends PatroniPrograms {
  synchronous: boolean;
}

const slow = { timeoutMs: 120_000, everyMs: 200 };

/**
 * Two PostgreSQL with a Patroni each and one etcd. HAProxy leads to the primary, as Patroni's documents have it, and the project's PgBouncer
 * to HAProxy.
 */
export async function startPatroniCluster({ synchronous, ...programs }: PatroniOptions): Promise<DatabaseCluster> {
  const { folder, remove } = createServerFolder('spooled-failover-');
  const account = serverAccount(() => undefined);
  const etcd = await startEtcd(folder);
  const node = async (name: string) =>
    new PatroniNode({
      name,
      folder: join(folder, name),
      port: await freePort(),
      apiPort: await freePort(),
      etcdPort: etcd.port,
      account,
      programs,
      synchronous,
    });
  const nodes = [await node('a'), await node('b')];
  const proxy = await startHaproxy(folder, nodes);
  const stop = async () => {
    await Promise.all(nodes.map((each) => each.kill()));
    await proxy.process.end('SIGTERM');
    await etcd.process.end('SIGKILL');
    remove();
  };
  const cluster = new PatroniCluster(nodes, synchronous);
  try {
    nodes[0]!.start();
    await eventually(async () => expect(await nodes[0]!.is('primary')).toBe(true), slow);
    nodes[1]!.start();
    await cluster.untilReplicated();
    const server = `postgresql://postgres:${superuserPassword}@127.0.0.1:${proxy.port}/postgres`;
    const urls = await eventually(() => createOwnDatabase(server), slow);
    return await withPooler(cluster, urls, stop);
  } catch (error) {
    const lines = nodes.map((each) => each.lastLines()).join('\n');
    await stop();
    throw new Error(`The cluster did not start: ${(error as Error).message}\n${lines}`, { cause: error });
  }
}

async function withPooler(
  cluster: PatroniCluster,
  urls: Omit<TestDatabase, 'drop'>,
  stop: () => Promise<void>,
): Promise<DatabaseCluster> {
  const pooler = await startPgBouncer(urls);
  const { appUrl, systemUrl } = urls;
  return {
    urls: { ...urls, appUrl: pooler.through(appUrl), systemUrl: pooler.through(systemUrl) },
    killPrimary: () => cluster.killPrimary(),
    heal: () => cluster.heal(),
    switchOver: () => cluster.switchOver(),
    stop: async () => {
      await pooler.stop();
      await stop();
    },
  };
}

class PatroniCluster {
  private killed: PatroniNode | undefined;

  constructor(
    private readonly nodes: PatroniNode[],
    private readonly synchronous: boolean,
  ) {}

  /** The primary has a replica that can replace it. */
  async untilReplicated(): Promise<void> {
    const role = this.synchronous ? 'sync' : 'replica';
    await eventually(async () => {
      const primary = await this.find('primary');
      const replica = await this.find(role);
      expect(primary && replica && primary !== replica).toBe(true);
    }, slow);
  }

  async killPrimary(): Promise<void> {
    this.killed = await this.find('primary');
    await this.killed!.kill();
  }

  async heal(): Promise<void> {
    this.killed?.start();
    this.killed = undefined;
    await this.untilReplicated();
  }

  async switchOver(): Promise<void> {
    const primary = (await this.find('primary'))!;
    const candidate = this.nodes.find((node) => node !== primary)!;
    const response = await fetch(`http://127.0.0.1:${primary.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name, candidate: candidate.name }),
    });
    if (response.status !== 200) throw new Error(`Patroni refused the switchover: ${await response.text()}`);
    await eventually(async () => expect(await candidate.is('primary')).toBe(true), slow);
  }

  private async find(role: 'primary' | 'replica' | 'sync'): Promise<PatroniNode | undefined> {
    const found = await Promise.all(this.nodes.map((node) => node.is(role)));
    return this.nodes[found.indexOf(true)];
  }
}

async function startEtcd(parent: string): Promise<{ port: number; process: ClusterProcess }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const folder = join(parent, 'etcd');
  mkdirSync(folder);
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=error',
  ];
  const etcd = new ClusterProcess('etcd', { folder, program: 'etcd', args });
  etcd.start();
  return { port, process: etcd };
}

async function startHaproxy(parent: string, nodes: PatroniNode[]): Promise<{ port: number; process: ClusterProcess }> {
  const port = await freePort();
  const folder = join(parent, 'haproxy');
  mkdirSync(folder);
  const settings = [
    'defaults',
    '  mode tcp',
    '  timeout connect 4s',
    '  timeout client 30m',
    '  timeout server 30m',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.apiPort}`),
    '',
  ];
  writeFileSync(join(folder, 'haproxy.cfg'), settings.join('\n'));
  const haproxy = new ClusterProcess('haproxy', { folder, program: 'haproxy', args: ['-db', '-f', 'haproxy.cfg'] });
  haproxy.start();
  return { port, process: haproxy };
}
