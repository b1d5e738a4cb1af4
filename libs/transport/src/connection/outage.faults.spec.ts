import { setTimeout as pause } from 'node:timers/promises';
import { TransportLostError } from '@spooled/contracts';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture, purge, purged } from '../commands/command-stream.fixture.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeEach(async () => {
  redis = await startRedis();
  fixture = new TransportFixture();
});
afterEach(async () => {
  await fixture.closeAll();
  await redis.close();
});

describe('BX-08 an outage of Redis', () => {
  it('fails commands in flight at once and recovers, with one log line each', async () => {
    const held: (() => void)[] = [];
    let isHolding = true;
    await fixture.engine(redis.url, () =>
      isHolding ? new Promise((resolve) => held.push(() => resolve(purged(1)))) : purged(2),
    );
    const client = fixture.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));

    const inFlight = Promise.allSettled([client.send(purge()), client.send(purge())]);
    await eventually(() => expect(held).toHaveLength(2));
    await redis.kill();
    for (const result of await inFlight) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TransportLostError) as unknown });
    }
    expect(client.state('any')).toBe('down');
    await expect(client.send(purge())).rejects.toThrow(TransportLostError);
    held.forEach((finish) => finish());
    isHolding = false;

    await redis.start();
    await eventually(() => expect(client.state('any')).toBe('ready'));
    // The first one is lost if the heartbeat from before the outage ends before the engine is connected.
    await eventually(async () => expect(await client.send(purge())).toEqual({ purged: 2 }));

    const logged = (of: string) =>
      fixture.log.lines.filter(({ level, message }) => level === of && message.startsWith('Redis connection'));
    // Client and engine log separately, and that it is back when the last of their connections is.
    await eventually(() => expect([logged('warn'), logged('info')]).toMatchObject([{ length: 2 }, { length: 2 }]));
  });

  it('resolves or rejects every command under load', async () => {
    const ran = new Set<string>();
    await fixture.engine(redis.url, ({ id }) => (ran.add(id), purged(1)));
    // After the restart the engine may take some seconds to read again.
    const client = await fixture.readyClient(redis.url, { backlogLimitMs: 60_000 });

    const answered: string[] = [];
    const errors = new Set<string>();
    let stopped = false;
    const sendUntilStopped = async () => {
      while (!stopped) {
        const command = purge();
        await client.send(command).then(
          () => answered.push(command.id),
          (error: Error) => (errors.add(error.name), pause(5)),
        );
      }
    };
    const senders = Array.from({ length: 16 }, sendUntilStopped);
    try {
      await eventually(() => expect(answered.length).toBeGreaterThan(100));
      await redis.kill();
      await eventually(() => expect(errors.size).toBe(1));
      const before = answered.length;
      await redis.start();
      await eventually(() => expect(answered.length).toBeGreaterThan(before + 100));
    } finally {
      stopped = true;
      await Promise.all(senders);
    }
    expect([...errors]).toEqual(['TransportLostError']);
    expect(answered.filter((id) => !ran.has(id))).toEqual([]);
  });

  it('does not prevent startup, and commands run once Redis is available', async () => {
    await redis.stop();
    await fixture.engine(redis.url, () => purged(4));
    const client = fixture.client(redis.url);
    await eventually(() => expect(fixture.log.lines).toHaveLength(2));
    await redis.start();
    await eventually(() => expect(client.state('any')).toBe('ready'));
    await expect(client.send(purge())).resolves.toEqual({ purged: 4 });
  });

  it('that loses all data is recovered from', async () => {
    await fixture.engine(redis.url, () => purged(5));
    const client = fixture.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));
    const [shard] = fixture.shards(redis.url).all;
    await eventually(() => expect(shard!.connected).toBe(true));
    await shard!.commands.flushall();
    await eventually(async () => expect(await client.send(purge())).toEqual({ purged: 5 }));
  });
});

describe('KF-12 several shards', () => {
  it('KF-20 serve their own organizations, and losing one does not affect the others', async () => {
    const second = await startRedis();
    const urls = `${redis.url},${second.url}`;
    try {
      await fixture.engine(urls, () => purged(6));
      const client = fixture.client(urls);
      const shards = fixture.shards(urls);
      const organizations = Array.from({ length: 50 }, (_, index) => `organization-${index}`);
      const onFirst = organizations.filter((organization) => shards.shardOf(organization) === shards.all[0]);
      const onSecond = organizations.filter((organization) => !onFirst.includes(organization));
      expect(onFirst.length).toBeGreaterThan(0);
      expect(onSecond.length).toBeGreaterThan(0);

      const states = () => [client.state(onFirst[0]!), client.state(onSecond[0]!)];
      await eventually(() => expect(states()).toEqual(['ready', 'ready']));
      const answers = organizations.map((organizationId) => client.send(purge({ organizationId })));
      await expect(Promise.all(answers)).resolves.toHaveLength(50);

      await second.kill();
      await eventually(() => expect(states()).toEqual(['ready', 'down']));
      await expect(client.send(purge({ organizationId: onFirst[0]! }))).resolves.toEqual({ purged: 6 });
    } finally {
      await second.close();
    }
  });
});
