import { randomUUID } from 'node:crypto';
import type { ClaimedJob, Command, CommandOf, Outcome } from '@spooled/contracts';
import { eventually, startRedisCluster, type TestRedis } from '@spooled/testing';
import { Redis } from 'ioredis';
import { TransportFixture, purge } from '../commands/command-stream.fixture.js';
import { joinCommands } from '../commands/wire.js';
import { RedisCredentialCache } from '../credentials/credential-cache.js';
import { RedisEventPublisher } from '../events/event-publisher.js';
import { RedisEventSubscriber } from '../events/event-subscriber.js';
import type { ClusterTopology } from './cluster-topology.js';
import type { HostPort } from './redis-address.js';
import { RedisShards } from './redis-shards.js';
import { parseShards, type PartitionAddress } from './shard-map.js';

const organizationId = randomUUID();
const claim = (): CommandOf<'job.claim'> => ({
  ...purge({ organizationId }),
  kind: 'job.claim',
  body: { queueName: 'emails', workerId: 'w1', limit: 1, leaseSeconds: 30 },
});

let redis: TestRedis;
let fixture: TransportFixture;
const raw: Redis[] = [];
beforeAll(async () => (redis = await startRedisCluster()), 60_000);
afterAll(() => redis?.close());
beforeEach(() => (fixture = new TransportFixture()));
afterEach(async () => {
  for (const connection of raw.splice(0)) connection.disconnect();
  await fixture.closeAll();
});

const connectTo = ({ host, port }: HostPort): Redis => {
  const connection = new Redis({ host, port, password: 'redis-password' });
  raw.push(connection);
  return connection;
};
const open = async () => {
  const shards = fixture.shards(redis.url);
  await eventually(() => expect(shards.connected).toBe(true));
  return shards;
};
const partitions = () =>
  parseShards(redis.url).map(({ name, address }) => ({ name, ...(address as PartitionAddress) }));
const partitionOf = (shardName: string) => partitions().find(({ name }) => name === shardName)!;

describe('SP-94 Redis Cluster', () => {
  it('KF-20 SP-61 each key is in the slot of its shard, and all primaries are used', async () => {
    const shards = await open();
    const cache = new RedisCredentialCache(shards, fixture.log);
    const hashes = Array.from({ length: 24 }, () => randomUUID() as string);
    for (const hash of hashes) await cache.set(hash, {}, 60);
    const primaries = new Set<number>();
    const stored: string[] = [];
    for (const { tag, slot, topology, name } of partitions()) {
      const primary = await topology.primaryOf(slot);
      primaries.add(primary.port);
      const keys = (await connectTo(primary).cluster('GETKEYSINSLOT', slot, 1000)) as string[];
      expect(keys.filter((key) => !key.startsWith(`{${tag}}`))).toEqual([]);
      const own = hashes.filter((hash) => shards.shardOf(hash).name === name);
      expect(keys.filter((key) => key.includes(':api_key:')).sort()).toEqual(
        own.map((hash) => `{${tag}}:api_key:${hash}`).sort(),
      );
      stored.push(...keys);
    }
    expect(primaries.size).toBe(3);
    expect(stored.length).toBeGreaterThanOrEqual(24);
  });

  it('BX-02 jobs are not reported as unclaimed when their caller is still subscribed at a demoted primary', async () => {
    const unclaimed: string[] = [];
    const onUnclaimed = (_: string, jobs: ClaimedJob[]) => void unclaimed.push(...jobs.map(({ id }) => id));
    const handle = ({ id }: Command): Outcome => ({ ok: true, value: { jobs: [{ id, leaseId: id } as ClaimedJob] } });
    await fixture.engine(redis.url, handle, { onUnclaimed });
    const shard = (await open()).shardOf(organizationId);
    const { tag, slot, topology } = partitionOf(shard.name);
    const primary = connectTo(await topology.primaryOf(slot));
    const channel = `spooled:reply:${randomUUID()}`;
    const subscriber = connectTo(await replicaOf(primary));
    const received: string[] = [];
    subscriber.on('smessage', (_: string, message: string) => received.push(message));
    await subscriber.ssubscribe(`{${tag}}:${channel}`);

    const send = async (replyTo: string, command: Command) =>
      shard.commands.xadd(`spooled:cmd:{${shard.name}}`, '*', 'c', joinCommands(replyTo, [JSON.stringify(command)]));
    const kept = claim();
    await send(channel, kept);
    await eventually(() => expect(received.join()).toContain(kept.id));
    await primary.ssubscribe(`{${tag}}:${channel}`);
    // Reported later than the other would be.
    const gone = claim();
    await send(`spooled:reply:${randomUUID()}`, gone);
    await eventually(() => expect(unclaimed).toContain(gone.id));
    expect(unclaimed).toEqual([gone.id]);
  });

  it('a subscriber that was sent to a replica, by a node with an old view, moves to the primary', async () => {
    const { tag, slot, topology, ...address } = partitionOf('cluster/0');
    const real = await topology.primaryOf(slot);
    const primary = connectTo(real);
    const answers = [await replicaOf(primary), await replicaOf(primary)];
    const outdated = { primaryOf: () => Promise.resolve(answers.shift() ?? real) } as unknown as ClusterTopology;
    const shards = new RedisShards({
      shards: [{ name: 'cluster/0', address: { ...address, tag, slot, topology: outdated } }],
      connectionName: 'spec',
      log: fixture.log,
    });
    try {
      const received: string[] = [];
      shards.all[0]!.channels.subscribe('a-channel', (message) => received.push(message));
      const subscribers = () => primary.pubsub('SHARDNUMSUB', `{${tag}}:a-channel`);
      await eventually(async () => expect(await subscribers()).toEqual([`{${tag}}:a-channel`, 1]));
      await primary.spublish(`{${tag}}:a-channel`, 'message');
      await eventually(() => expect(received).toEqual(['message']));
    } finally {
      await shards.close();
    }
  });

  it('commands and events continue when the slot moves to another primary', async () => {
    await fixture.engine(redis.url, () => ({ ok: true, value: { purged: 1 } }));
    const client = fixture.client(redis.url);
    await eventually(() => expect(client.state(organizationId)).toBe('ready'));
    const shards = await open();
    const publisher = new RedisEventPublisher(shards);
    const subscriber = new RedisEventSubscriber(await open(), fixture.log);
    let events = 0;
    subscriber.subscribe(organizationId, (some) => (events += some.length));
    await subscriber.ready(organizationId);

    await moveSlot(partitionOf(shards.shardOf(organizationId).name));
    // Each connection is told once a second at most that its server has changed, and a command may be lost with one.
    const moved = { timeoutMs: 30_000 };
    await eventually(async () => expect(await client.send(purge({ organizationId }))).toEqual({ purged: 1 }), moved);
    await eventually(() => {
      publisher.publish([{ organizationId, events: [{ type: 'Ping', data: { timestamp: 'now' } }] }]);
      expect(events).toBeGreaterThan(0);
    }, moved);
  }, 90_000);

  it('a wrong password is reported with its reason', async () => {
    fixture.shards(redis.url.replace('redis-password', 'wrong'));
    await eventually(() => expect(JSON.stringify(fixture.log.lines)).toContain('WRONGPASS'));
  });
});

async function replicaOf(primary: Redis): Promise<HostPort> {
  const id = String(await primary.cluster('MYID'));
  const [line] = (await primary.call('CLUSTER', 'REPLICAS', id)) as string[];
  return { host: '127.0.0.1', port: Number(/:(\d+)@/.exec(line!)![1]) };
}

/** Moves the slot with its keys to another primary, as `redis-cli --cluster reshard` does. */
async function moveSlot({ slot, topology }: PartitionAddress): Promise<void> {
  const from = await topology.primaryOf(slot);
  const others = await Promise.all(partitions().map((other) => other.topology.primaryOf(other.slot)));
  const to = others.find(({ port }) => port !== from.port)!;
  const [source, target] = [connectTo(from), connectTo(to)];
  const [sourceId, targetId] = [String(await source.cluster('MYID')), String(await target.cluster('MYID'))];
  await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
  await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
  for (;;) {
    const keys = (await source.cluster('GETKEYSINSLOT', slot, 1000)) as string[];
    if (keys.length === 0) break;
    await source.call('MIGRATE', to.host, to.port, '', 0, 5000, 'AUTH', 'redis-password', 'KEYS', ...keys);
  }
  await target.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
  await source.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
}
