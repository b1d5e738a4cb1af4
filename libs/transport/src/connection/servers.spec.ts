import { randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { ClaimedJob, Command, EventEnvelope, Outcome } from '@spooled/contracts';
import {
  eventually,
  startRedis,
  startRedisCluster,
  startSentinel,
  testCertificate,
  type TestRedis,
} from '@spooled/testing';
import { TransportFixture, purge, purged } from '../commands/command-stream.fixture.js';
import { RedisCredentialCache } from '../credentials/credential-cache.js';
import { RevokedTokens } from '../credentials/revoked-tokens.js';
import { DeliveryQueue } from '../deliveries/delivery-queue.js';
import { createDeliveryWorker } from '../deliveries/delivery-worker.js';
import { RedisEventPublisher } from '../events/event-publisher.js';
import { RedisEventSubscriber } from '../events/event-subscriber.js';
import { QueueSignals } from '../events/queue-signals.js';
import { RedisLeases } from '../leases/redis-leases.js';
import { QueueTokens } from '../limits/queue-tokens.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { StreamSlots } from '../limits/stream-slots.js';
import { rateLimitKeys } from './keys.js';
import { parseShards } from './shard-map.js';

/** Enough to be on every partition of a cluster. */
const organizations = Array.from({ length: 24 }, () => randomUUID() as string);

/** As NODE_EXTRA_CA_CERTS adds an authority. */
const authorities = getCACertificates('default');
const trustServers = () => setDefaultCACertificates([...authorities, testCertificate]);
afterAll(() => setDefaultCACertificates(authorities));

/**
 * Everything that uses several keys or channels at once; the other specs prove the rest with one server, and those of failovers the same
 * servers without TLS.
 */
describe.each<[string, () => Promise<TestRedis>, refusal?: string]>([
  ['one server', () => startRedis()],
  // ioredis keeps the reason of a sentinel to itself.
  ['Sentinel with TLS', () => startSentinel({ tls: true }), 'All sentinels are unreachable'],
  ['Cluster with TLS', () => startRedisCluster({ tls: true }), 'self-signed certificate'],
])('SP-94 SP-65 with Redis as %s', (_, startServers, refusal) => {
  let redis: TestRedis;
  let fixture: TransportFixture;
  beforeAll(async () => {
    trustServers();
    redis = await startServers();
  }, 60_000);
  afterAll(() => redis?.close());
  beforeEach(() => (fixture = new TransportFixture()));
  afterEach(() => fixture.closeAll());

  const open = async () => {
    const shards = fixture.shards(redis.url);
    await eventually(() => expect(shards.connected).toBe(true));
    return shards;
  };
  const readyClient = async (options = {}, from = fixture) => {
    const client = from.client(redis.url, options);
    await eventually(() => expect(organizations.map((id) => client.state(id)).join()).not.toContain('down'));
    return client;
  };

  it('KF-18 commands of many organizations are executed once, and large responses arrive', async () => {
    const ran: string[] = [];
    const jobIds = Array.from({ length: 20_000 }, (_, index) => `job-${index}`);
    const large: Outcome = { ok: true, value: { jobIds, skippedIds: [] } };
    const handle = ({ id, organizationId }: Command) => (ran.push(id), organizationId === 'large' ? large : purged(1));
    await fixture.engine(redis.url, handle);
    await fixture.engine(redis.url, handle);
    const client = await readyClient();
    const commands = [...organizations, ...organizations].map((organizationId) => purge({ organizationId }));
    await Promise.all(commands.map((command) => client.send(command)));
    expect(ran.sort()).toEqual(commands.map(({ id }) => id).sort());
    await expect(client.send(purge({ organizationId: 'large' }))).resolves.toEqual({ jobIds, skippedIds: [] });
    const stream = await open();
    for (const { name, commands: redisCommands } of stream.all) {
      expect(await redisCommands.xlen(`spooled:cmd:{${name}}`)).toBe(0);
    }
  });

  it('BX-02 the engine reports jobs of a claim whose process is gone', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const unclaimed: string[] = [];
    const handle = () => new Promise<Outcome>((answer) => held.push(answer));
    const onUnclaimed = (organizationId: string) => void unclaimed.push(organizationId);
    await fixture.engine(redis.url, handle, { onUnclaimed });
    const other = new TransportFixture();
    const client = await readyClient({}, other);
    const [organizationId] = organizations as [string];
    const body = { queueName: 'emails', workerId: 'w1', limit: 1, leaseSeconds: 30 };
    const claim: Command = { ...purge({ organizationId }), kind: 'job.claim', body } as Command;
    (client.send(claim as never) as Promise<unknown>).catch(() => undefined);
    await eventually(() => expect(held).toHaveLength(1));
    await other.closeAll();
    const job = { id: randomUUID(), leaseId: randomUUID() } as unknown as ClaimedJob;
    held[0]!({ ok: true, value: { jobs: [job] } });
    await eventually(() => expect(unclaimed).toEqual([organizationId]));
  });

  it('SP-61 events and signals reach the subscribers of their organization only, and missed ones can be read', async () => {
    const [sending, receiving] = [await open(), await open()];
    const publisher = new RedisEventPublisher(sending);
    const subscriber = new RedisEventSubscriber(receiving, fixture.log);
    const signals = new QueueSignals(sending);
    const received = new Map<string, string[]>(organizations.map((id) => [id, []]));
    const woken: string[] = [];
    const ids = new Map<string, string>();
    const ping = (timestamp: string): EventEnvelope => ({ type: 'Ping', data: { timestamp } });
    for (const id of organizations) {
      subscriber.subscribe(id, (events) => {
        for (const { id: eventId, envelope } of events) {
          received.get(id)!.push((envelope.data as { timestamp: string }).timestamp);
          ids.set(id, ids.get(id) ?? eventId);
        }
      });
      new QueueSignals(receiving).onWake(id, 'emails', (why) => woken.push(`${id} ${why}`));
      await subscriber.ready(id);
      await receiving.shardOf(id).channels.ready(`org:${id}:queue:emails`);
    }
    for (const id of organizations) {
      publisher.publish([{ organizationId: id, events: [ping(`${id} 1`), ping(`${id} 2`)] }]);
      signals.wake(id, 'emails', 'bulk_enqueue');
    }
    await eventually(() => {
      for (const id of organizations) expect(received.get(id)).toEqual([`${id} 1`, `${id} 2`]);
      expect(woken.sort()).toEqual(organizations.map((id) => `${id} bulk_enqueue`).sort());
    });
    for (const id of organizations) {
      const missed = await subscriber.since(id, ids.get(id)!);
      expect(missed.map(({ envelope }) => envelope)).toEqual([ping(`${id} 2`)]);
    }
  });

  it('KF-07 leases of many organizations are kept, renewed and ended in batches', async () => {
    const leases = new RedisLeases(await open(), { log: fixture.log, timeoutMs: 5000 });
    const all = organizations.map((organizationId) => ({
      organizationId,
      jobId: randomUUID(),
      leaseId: randomUUID(),
      workerId: 'w1',
      queueName: 'emails',
    }));
    const leaseExpiresAt = new Date().toISOString();
    const endsAt = performance.now() + 60_000;
    await leases.keep(all.map((lease) => ({ ...lease, leaseExpiresAt, endsAt, uncertainMs: 0 })));
    const ends = await leases.renew(all.map((lease) => ({ ...lease, queues: null, leaseSeconds: 60 })));
    expect(ends.filter((end) => end === null)).toEqual([]);
    expect((await leases.alive(all)).filter((found) => found === null)).toEqual([]);
    await leases.end(all);
    expect(await leases.alive(all)).toEqual(all.map(() => null));
  });

  it('SP-13 SP-67 limits of several kinds are checked together, and tokens and stream slots are shared', async () => {
    const [one, two] = [await open(), await open()];
    const limiters = [new RateLimiter(one, { failClosed: true }), new RateLimiter(two, { failClosed: true })];
    for (const id of organizations.slice(0, 8)) {
      const limits = [
        {
          key: rateLimitKeys.organization(id),
          scope: 'organization' as const,
          kind: 'bucket' as const,
          ratePerSecond: 0.001,
          burst: 3,
        },
        {
          key: rateLimitKeys.apiKey(id, 'digest'),
          scope: 'api_key' as const,
          kind: 'window' as const,
          limit: 100,
          windowSeconds: 60,
        },
      ];
      const results = await Promise.all([...limiters, ...limiters].map((limiter) => limiter.check(id, limits)));
      expect(results.filter(({ allowed }) => allowed)).toHaveLength(3);
      // One token, and the next one 100 s later.
      expect(await new QueueTokens(one).take(id, 'emails', 0.01, 5)).toMatchObject({ taken: 1 });
      expect(await new QueueTokens(two).take(id, 'emails', 0.01, 5)).toMatchObject({ taken: 0 });
      const [first, second] = [new StreamSlots(one, randomUUID()), new StreamSlots(two, randomUUID())];
      expect(await first.take(id, 'events', 1)).not.toBeNull();
      expect(await second.take(id, 'events', 1)).toBeNull();
      first.close();
      second.close();
    }
  });

  it('SP-72 SP-75 cached keys, revocations and their notices reach every process', async () => {
    const [one, two] = [await open(), await open()];
    const caches = [new RedisCredentialCache(one, fixture.log), new RedisCredentialCache(two, fixture.log)] as const;
    const noticed: string[] = [];
    caches[1].onInvalidate((notice) => void noticed.push(notice.kind));
    const hashes = organizations.map((id) => `digest of ${id}`);
    for (const hash of hashes) await caches[0].set(hash, { hash }, 60);
    expect(await Promise.all(hashes.map((hash) => caches[1].get(hash)))).toEqual(hashes.map((hash) => ({ hash })));
    await eventually(() =>
      expect(two.all.every(({ channels }) => channels.isSubscribed('spooled:invalidate'))).toBe(true),
    );
    expect(await caches[0].invalidate({ kind: 'api_key', organizationId: 'a', hashes })).toBe(true);
    expect(await Promise.all(hashes.map((hash) => caches[1].get(hash)))).toEqual(hashes.map(() => null));
    await eventually(() => expect(noticed).toContain('api_key'));
    const tokens = new RevokedTokens(one, caches[0]);
    const token = { tokenId: randomUUID(), sessionId: randomUUID() };
    const tokensToRevoke = [{ tokenId: token.tokenId, seconds: 60 }];
    await tokens.publish({
      organizationId: 'a',
      sessionId: token.sessionId,
      sessionSeconds: 60,
      tokens: tokensToRevoke,
    });
    expect(await new RevokedTokens(two, caches[1]).has(token)).toBe(true);
  });

  it('SP-53 deliveries of all organizations are queued and processed', async () => {
    const queue = new DeliveryQueue(await open(), { log: fixture.log });
    const done: string[] = [];
    const process = async ({ data }: { data: { id: string } }) => void done.push(data.id);
    const workers = parseShards(redis.url).map((shard) => createDeliveryWorker(shard, process, { log: fixture.log }));
    const deliveries = organizations.map((organizationId) => ({ id: randomUUID() as string, organizationId }));
    try {
      await eventually(
        () => {
          queue.dispatch(deliveries);
          expect([...new Set(done)].sort()).toEqual(deliveries.map(({ id }) => id).sort());
        },
        { everyMs: 250, timeoutMs: 20_000 },
      );
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
      await queue.close();
    }
  });

  if (refusal) {
    it('SP-94 an unknown certificate is refused', async () => {
      setDefaultCACertificates(authorities);
      try {
        const distrusting = fixture.shards(redis.url);
        await eventually(() => expect(JSON.stringify(fixture.log.lines)).toContain(refusal));
        expect(distrusting.connected).toBe(false);
      } finally {
        trustServers();
      }
    });
  }
});
