import { join } from 'node:path';
import { freePort } from '@spooled/local';
import { parseShards, pickShard } from '@spooled/transport';
import { eventually } from './eventually.js';
import { endAll, RedisProcess, type RedisServersOptions, untilReplaced } from './redis-process.js';
import { createServerFolder } from './server-folder.js';
import type { FailoverRedis } from './test-redis.js';

const password = 'redis-password';
const numberOfPrimaries = 3;
const slots = 16_384;
/** Shorter than the default of 15 s; as long as sentinels wait in tests, so that a busy machine causes no failover. */
const nodeTimeoutMs = 3000;

interface Node {
  server: RedisProcess;
  busPort: number;
  id: string;
}

/** A Redis Cluster of three primaries with a replica each, as processes, with passwords. */
export async function startRedisCluster({ tls = false }: RedisServersOptions = {}): Promise<FailoverRedis> {
  const { folder, remove } = createServerFolder('spooled-test-cluster-');
  const nodes: Node[] = [];
  const servers = () => nodes.map(({ server }) => server);
  const close = async () => {
    await Promise.all(servers().map((server) => server.close()));
    remove();
  };
  try {
    const names = Array.from({ length: 2 * numberOfPrimaries }, (_, index) => `node-${index}`);
    nodes.push(...(await Promise.all(names.map((name) => startNode(join(folder, name), tls)))));
    await formCluster(nodes);
  } catch (error) {
    await close();
    throw error;
  }
  const url = `redis${tls ? 's' : ''}+cluster://:${password}@${servers()
    .map(({ address }) => address)
    .join(',')}`;
  return {
    url,
    primaryOf: (organizationId) => primaryOf(url, organizationId, servers()),
    async failover(organizationId) {
      const current = () => primaryOf(url, organizationId, servers());
      const before = await current();
      const begin = async () => {
        if ((await current()) !== before) return;
        await (await replicaOf(before, servers())).ask((redis) => redis.cluster('FAILOVER'));
      };
      await begin();
      // A replica stops trying when the others have not agreed within 5 s, as on a busy machine.
      const again = setInterval(() => void begin().catch(() => undefined), 7_000);
      await untilReplaced(before, current).finally(() => clearInterval(again));
    },
    stop: () => endAll(servers(), 'SIGTERM'),
    kill: () => endAll(servers(), 'SIGKILL'),
    start: async () => {
      await Promise.all(servers().map((server) => server.start()));
      await untilHealthy(nodes);
    },
    close,
  };
}

async function startNode(folder: string, tls: boolean): Promise<Node> {
  const busPort = await freePort();
  const settings = [
    'cluster-enabled yes',
    'cluster-config-file nodes.conf',
    `cluster-port ${busPort}`,
    `cluster-node-timeout ${nodeTimeoutMs}`,
    'cluster-require-full-coverage no',
    'cluster-replica-validity-factor 0',
    `masterauth ${password}`,
    'repl-diskless-sync-delay 0',
    // The nodes name a replica only after its primary has sent it something: by default after 10 s.
    'repl-ping-replica-period 1',
  ];
  const server = await RedisProcess.start({ folder, settings, password, tls });
  return { server, busPort, id: String(await server.ask((redis) => redis.cluster('MYID'))) };
}

/** The first half of the nodes become primaries with equally many slots, the others a replica of each. */
async function formCluster(nodes: Node[]): Promise<void> {
  const primaries = nodes.slice(0, numberOfPrimaries);
  const replicas = nodes.slice(numberOfPrimaries);
  const slotAt = (index: number) => Math.floor((index * slots) / numberOfPrimaries);
  for (const [index, { server }] of primaries.entries()) {
    await server.ask(async (redis) => {
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', slotAt(index), slotAt(index + 1) - 1);
      await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    });
  }
  await nodes[0]!.server.ask(async (redis) => {
    for (const { server, busPort } of nodes.slice(1)) {
      await redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
    }
  });
  for (const [index, { server }] of replicas.entries()) {
    await eventually(() => server.ask((redis) => redis.call('CLUSTER', 'REPLICATE', primaries[index]!.id)), {
      timeoutMs: 20_000,
    });
  }
  await untilHealthy(nodes);
}

/** All nodes agree that all slots are served, and each primary has a replica that is up to date. */
async function untilHealthy(nodes: Node[]): Promise<void> {
  const check = async ({ server }: Node): Promise<void> => {
    const [state, table, role] = await server.ask((redis) =>
      Promise.all([redis.cluster('INFO'), redis.cluster('SLOTS'), redis.info('replication')]),
    );
    const complete = (table as unknown[][]).every((range) => range.length >= 4);
    const inSync = /role:master/.test(role) || /master_link_status:up/.test(role);
    if (
      !/cluster_state:ok/.test(String(state)) ||
      !/cluster_slots_ok:16384/.test(String(state)) ||
      !complete ||
      !inSync
    ) {
      throw new Error(`A node of the test cluster is not ready: ${String(state)} ${role}`);
    }
  };
  await eventually(() => Promise.all(nodes.map(check)), { timeoutMs: 40_000, everyMs: 100 });
}

async function primaryOf(url: string, organizationId: string, servers: RedisProcess[]): Promise<RedisProcess> {
  const shards = parseShards(url);
  const names = shards.map(({ name }) => name);
  const { address } = shards[pickShard(names, organizationId)]!;
  if (address.kind !== 'partition') throw new Error('not the URL of a cluster');
  const { port } = await address.topology.primaryOf(address.slot);
  return servers.find((server) => server.port === port)!;
}

async function replicaOf(primary: RedisProcess, servers: RedisProcess[]): Promise<RedisProcess> {
  const id = await primary.ask((redis) => redis.cluster('MYID'));
  const [line] = (await primary.ask((redis) => redis.call('CLUSTER', 'REPLICAS', String(id)))) as string[];
  return servers.find(({ port }) => line?.includes(`:${port}@`))!;
}
