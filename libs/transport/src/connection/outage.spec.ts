import { setTimeout as pause } from 'node:timers/promises';
import { TransportLostError } from '@spooled/contracts';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { Opened, purge, purged } from '../commands/command-stream.fixture.js';

let redis: TestRedis;
let opened: Opened;
beforeEach(async () => {
  redis = await startRedis();
  opened = new Opened();
});
afterEach(async () => {
  await opened.closeAll();
  await redis.close();
});

describe('BX-08 Redis goes away and comes back', () => {
  it('loses commands under way at once, and resumes by itself, with one log line for each', async () => {
    const held: (() => void)[] = [];
    await opened.engine(redis.url, () => new Promise((resolve) => held.push(() => resolve(purged(1)))));
    const client = opened.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));

    const underWay = Promise.allSettled([client.send(purge()), client.send(purge())]);
    await eventually(() => expect(held).toHaveLength(2));
    await redis.kill();
    for (const result of await underWay) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TransportLostError) as unknown });
    }
    expect(client.state('any')).toBe('down');
    await expect(client.send(purge())).rejects.toThrow(TransportLostError);
    held.splice(0).forEach((finish) => finish());

    await redis.start();
    await eventually(() => expect(client.state('any')).toBe('ready'));
    const answer = client.send(purge());
    await eventually(() => expect(held).toHaveLength(1));
    held.splice(0).forEach((finish) => finish());
    await expect(answer).resolves.toEqual({ purged: 1 });

    const lines = opened.log.lines.filter(({ message }) => message.startsWith('Redis connection'));
    // The client's Redis and the engine's are watched apart.
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
    expect(lines.filter(({ level }) => level === 'info')).toHaveLength(2);
  });

  it('answers every command or says that it was lost, while it goes and comes under load', async () => {
    const ran = new Set<string>();
    await opened.engine(redis.url, ({ id }) => (ran.add(id), purged(1)));
    const client = opened.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));

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
    await eventually(() => expect(answered.length).toBeGreaterThan(100));
    await redis.kill();
    await eventually(() => expect(errors.size).toBe(1));
    const before = answered.length;
    await redis.start();
    await eventually(() => expect(answered.length).toBeGreaterThan(before + 100));
    stopped = true;
    await Promise.all(senders);
    expect([...errors]).toEqual(['TransportLostError']);
    expect(answered.filter((id) => !ran.has(id))).toEqual([]);
  });

  it('starts without it, and works once it is there', async () => {
    await redis.stop();
    await opened.engine(redis.url, () => purged(4));
    const client = opened.client(redis.url);
    await eventually(() => expect(opened.log.lines).toHaveLength(2));
    await redis.start();
    await eventually(() => expect(client.state('any')).toBe('ready'));
    await expect(client.send(purge())).resolves.toEqual({ purged: 4 });
  });

  it('goes on after all data in it were deleted', async () => {
    await opened.engine(redis.url, () => purged(5));
    const client = opened.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));
    const [shard] = opened.shards(redis.url).all;
    await eventually(() => expect(shard!.connected).toBe(true));
    await shard!.commands.flushall();
    await eventually(async () => expect(await client.send(purge())).toEqual({ purged: 5 }));
  });
});

describe('KF-12 several shards', () => {
  it('serve their own organizations, and one lost shard leaves the others alone', async () => {
    const second = await startRedis();
    const urls = `${redis.url},${second.url}`;
    try {
      await opened.engine(urls, () => purged(6));
      const client = opened.client(urls);
      const shards = opened.shards(urls);
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
