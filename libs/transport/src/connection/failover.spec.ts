import { setTimeout as pause } from 'node:timers/promises';
import { type ClaimedJob, type Command, type CommandOf, type Outcome, TransportLostError } from '@spooled/contracts';
import {
  eventually,
  type FailoverRedis,
  startRedisCluster,
  startSentinel,
  type TestRedisServer,
} from '@spooled/testing';
import type { CommandStreamClient } from '../commands/command-stream.client.js';
import { TransportFixture, purge } from '../commands/command-stream.fixture.js';
import { DeliveryQueue } from '../deliveries/delivery-queue.js';
import { createDeliveryWorker } from '../deliveries/delivery-worker.js';
import { RedisEventPublisher } from '../events/event-publisher.js';
import { RedisEventSubscriber } from '../events/event-subscriber.js';
import { parseShards } from './shard-map.js';

const organizationId = 'an-organization';
const claim = (workerId: string): CommandOf<'job.claim'> => ({
  ...purge({ organizationId }),
  kind: 'job.claim',
  body: { queueName: 'emails', workerId, limit: 1, leaseSeconds: 30 },
});
/** Detection takes 3 s in these tests; the rest is for a busy machine. */
const failover = { timeoutMs: 45_000 };

describe.each([
  ['Sentinel', startSentinel],
  ['Cluster', startRedisCluster],
])('SP-94 Redis %s', (_, startServers) => {
  let redis: FailoverRedis;
  let fixture: TransportFixture;
  /** Ends the load, also that of a failed test. */
  let stopped = true;
  beforeEach(async () => {
    redis = await startServers();
    fixture = new TransportFixture();
  }, 60_000);
  afterEach(async () => {
    stopped = true;
    await fixture.closeAll();
    await redis.close();
  });

  /**
   * Sends claims one after another until stopped. Each must be answered or fail as lost, and no job that was answered
   * may be reported as unclaimed.
   */
  const startLoad = async () => {
    const granted = new Set<string>();
    const unclaimed: string[] = [];
    const onUnclaimed = (_: string, jobs: ClaimedJob[]) => void unclaimed.push(...jobs.map(({ id }) => id));
    const held: (() => void)[] = [];
    const handle = (command: Command): Promise<Outcome> => {
      granted.add(command.id);
      const outcome: Outcome = { ok: true, value: { jobs: [{ id: command.id, leaseId: command.id } as ClaimedJob] } };
      const { workerId } = command.body as { workerId: string };
      if (workerId !== 'held') return Promise.resolve(outcome);
      return new Promise((answer) => held.push(() => answer(outcome)));
    };
    await fixture.engine(redis.url, handle, { onUnclaimed });
    const ready = async (client: CommandStreamClient) => {
      await eventually(() => expect(client.state(organizationId)).toBe('ready'), failover);
      return client;
    };
    const client = await ready(fixture.client(redis.url, { onUnclaimed }));
    const answered: string[] = [];
    const errors: unknown[] = [];
    stopped = false;
    const send = async () => {
      while (!stopped) {
        const command = claim('w1');
        await client.send(command).then(
          () => answered.push(command.id),
          (error: unknown) => (errors.push(error), pause(5)),
        );
      }
    };
    const senders = [send(), send(), send(), send()];
    /** The engine reports the jobs of a caller that has gone, and with it everything that it has to report before. */
    const untilReported = async () => {
      const other = new TransportFixture();
      const gone = claim('held');
      (await ready(other.client(redis.url))).send(gone).catch(() => undefined);
      await eventually(() => expect(held).toHaveLength(1));
      await other.closeAll();
      held[0]!();
      await eventually(() => expect(unclaimed).toContain(gone.id));
    };
    const stop = async () => {
      stopped = true;
      await Promise.all(senders);
      await untilReported();
      expect(errors.filter((error) => !(error instanceof TransportLostError))).toEqual([]);
      expect(answered.filter((id) => !granted.has(id) || unclaimed.includes(id))).toEqual([]);
    };
    return { answered, errors, stop };
  };

  const replace = {
    'is killed': (primary: TestRedisServer) => primary.kill(),
    hangs: (primary: TestRedisServer) => Promise.resolve(primary.pause()),
    'is demoted': () => redis.failover(organizationId),
  };
  it.each(Object.keys(replace) as (keyof typeof replace)[])(
    'KF-18 commands resume when the primary %s',
    async (how) => {
      const { answered, errors, stop } = await startLoad();
      await eventually(() => expect(answered.length).toBeGreaterThan(50));
      const primary = await redis.primaryOf(organizationId);
      await replace[how](primary);
      // Sentinels close the connections of a primary that they have replaced as planned after about 10 s.
      await eventually(() => expect(errors.length).toBeGreaterThan(0), failover);
      const before = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(before + 50), failover);
      expect((await redis.primaryOf(organizationId)).port).not.toBe(primary.port);
      // It joins as a replica, and commands are not affected.
      primary.resume();
      await primary.start();
      const resumed = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(resumed + 50), failover);
      await stop();
    },
    120_000,
  );

  it('SP-65 events reach open subscriptions again, and deliveries are queued and processed', async () => {
    const shards = fixture.shards(redis.url);
    const shard = shards.shardOf(organizationId);
    await eventually(() => expect(shards.connected).toBe(true));
    const subscriber = new RedisEventSubscriber(shards, fixture.log);
    const publisher = new RedisEventPublisher(fixture.shards(redis.url));
    const received: string[] = [];
    subscriber.subscribe(organizationId, (events) => received.push(...events.map(({ id }) => id)));
    await subscriber.ready(organizationId);
    const queue = new DeliveryQueue(shards, { log: fixture.log });
    const done: string[] = [];
    const address = parseShards(redis.url).find(({ name }) => name === shard.name)!;
    const worker = createDeliveryWorker(address, async ({ data }) => void done.push(data.id), { log: fixture.log });
    try {
      const roundTrip = async (id: string) => {
        const before = received.length;
        await eventually(() => {
          publisher.publish([{ organizationId, events: [{ type: 'queue.paused' }] as never }]);
          queue.dispatch([{ id, organizationId }]);
          expect(received.length).toBeGreaterThan(before);
          expect(done).toContain(id);
        }, failover);
      };
      await roundTrip('before');
      await (await redis.primaryOf(organizationId)).kill();
      await eventually(() => expect(subscriber.isSubscribed(organizationId)).toBe(false));
      await roundTrip('after');
    } finally {
      await worker.close(true);
      await queue.close();
    }
  }, 120_000);

  it('starts without any server, and logs that the connection is lost and that it is back', async () => {
    await redis.kill();
    const shards = fixture.shards(redis.url);
    const logged = (level: string) => {
      const lines = fixture.log.lines.filter(
        (line) => line.level === level && line.message.startsWith('Redis connection'),
      );
      return new Set(lines.map(({ fields }) => (fields as { shard: string }).shard)).size;
    };
    await eventually(() => expect(logged('warn')).toBe(shards.all.length));
    expect(fixture.log.lines.map(({ fields }) => (fields as { reason: string }).reason).join()).toContain(
      'ECONNREFUSED',
    );
    await redis.start();
    await eventually(() => expect(shards.connected).toBe(true), failover);
    await eventually(() => expect(logged('info')).toBe(shards.all.length));
  }, 120_000);
});
