import { randomUUID } from 'node:crypto';
import { TransportLostError, type Command } from '@spooled/contracts';
import { quotaExceeded, SpooledError } from '@spooled/domain';
import { eventually, ManualClock, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture, blockingHandler, purge, purged, untilState } from './command-stream.fixture.js';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { engineGroup, readBacklogAge } from './shard-monitor.js';
import { commandField, joinCommands } from './wire.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis.close());
beforeEach(() => (fixture = new TransportFixture()));
afterEach(() => fixture.closeAll());

const streamLength = async (): Promise<number> => {
  const [shard] = (await fixture.openShards(redis.url)).all;
  return shard!.commands.xlen(keys.commandStream(shard!.name));
};

describe('sending a command', () => {
  it('resolves with the outcome of its handler and leaves no stream entry', async () => {
    await fixture.engine(redis.url, (command) => purged((command.body as { limit: number }).limit));
    const client = await fixture.readyClient(redis.url);
    await expect(client.send(purge({ limit: 7 }))).resolves.toEqual({ purged: 7 });
    await eventually(async () => expect(await streamLength()).toBe(0));
  });

  it('runs on exactly one of two engines', async () => {
    const ran: string[][] = [[], []];
    // No engine takes a command over that Redis has sent to the other one.
    const options = { batchSize: 10, redeliverAfterMs: 60_000 };
    for (const ids of ran) {
      await fixture.engine(redis.url, async ({ id }) => (ids.push(id), await nextTick(), purged(1)), options);
    }
    const client = await fixture.readyClient(redis.url, { clock: new ManualClock() });
    const commands: ReturnType<typeof purge>[] = [];
    const send = async (count: number) => {
      const more = Array.from({ length: count }, () => purge());
      commands.push(...more);
      await Promise.all(more.map((command) => client.send(command)));
    };
    // One engine may have opened its connections long before the other.
    await eventually(async () => {
      await send(1);
      expect(ran.every(({ length }) => length > 0)).toBe(true);
    });
    await send(1000);
    expect(ran.flat().sort()).toEqual(commands.map(({ id }) => id).sort());
  });

  it('BX-14 brings its actor, which is null when the sender is of a release that sends none', async () => {
    const seen: unknown[] = [];
    await fixture.engine(redis.url, ({ actor }) => (seen.push(actor), purged(1)));
    const client = await fixture.readyClient(redis.url, { clock: new ManualClock() });
    const { actor: _, ...old } = purge();
    await client.send({ ...purge(), actor: 'key k-1 Import' });
    await client.send(old as ReturnType<typeof purge>);
    expect(seen).toEqual(['key k-1 Import', null]);
  });

  it('rejects with the typed error of its handler', async () => {
    const error = quotaExceeded('active_jobs', { current: 10, limit: 10, plan: 'free', upgradeTo: 'starter' });
    await fixture.engine(redis.url, () => ({ ok: false, error: error.toShape() }));
    const client = await fixture.readyClient(redis.url);
    const received = (await client.send(purge()).catch((caught: unknown) => caught)) as SpooledError;
    expect(received).toBeInstanceOf(SpooledError);
    expect(received.toShape()).toEqual(error.toShape());
  });

  it('rejects with a generic 500 when the handler throws, and logs the reason', async () => {
    await fixture.engine(redis.url, () => {
      throw new Error('a bug');
    });
    const client = await fixture.readyClient(redis.url);
    await expect(client.send(purge())).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'Internal error' });
    expect(fixture.log.lines).toContainEqual(expect.objectContaining({ message: 'A command handler failed' }));
  });

  it('stores and fetches a response that is too large to publish', async () => {
    const jobIds = Array.from({ length: 20_000 }, (_, index) => `job-${index}`);
    await fixture.engine(redis.url, () => ({ ok: true, value: { jobIds, skippedIds: [] } }));
    const client = await fixture.readyClient(redis.url);
    await expect(client.send(purge())).resolves.toEqual({ jobIds, skippedIds: [] });
  });

  it("runs in the engine's wrap hook, with its trace context", async () => {
    const seen: (string | null)[] = [];
    await fixture.engine(redis.url, () => purged(1), {
      wrap: (command, run) => (seen.push(command.traceparent), run()),
    });
    const client = await fixture.readyClient(redis.url);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await client.send({ ...purge(), traceparent });
    expect(seen).toEqual([traceparent]);
  });
});

describe('a command past its deadline', () => {
  it('gets 503', async () => {
    const { handle, answerAll } = blockingHandler();
    await fixture.engine(redis.url, handle);
    const client = await fixture.readyClient(redis.url);
    await expect(client.send({ ...purge(), ttlMs: 50 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    answerAll();
  });

  it('is dropped, not run late', async () => {
    const { held, handle, answerAll } = blockingHandler();
    await fixture.engine(redis.url, handle, { maxInFlight: 1 });
    const clock = new ManualClock();
    const client = await fixture.readyClient(redis.url, { clock });
    const first = client.send(purge());
    await eventually(() => expect(held).toHaveLength(1));
    const late = expect(client.send({ ...purge(), ttlMs: 50 })).rejects.toThrow(SpooledError);
    await clock.advance(50);
    await late;
    // Its time runs from its arrival in Redis, which may be later than the caller's.
    const shards = await fixture.openShards(redis.url);
    await eventually(async () => expect(await readBacklogAge(shards)).toBeGreaterThan(500));
    answerAll();
    await first;
    await eventually(async () => expect(await streamLength()).toBe(0));
    expect(held).toHaveLength(0);
    await eventually(() =>
      expect(fixture.log.lines).toContainEqual(
        expect.objectContaining({
          message: 'Dropped commands past their deadline',
          fields: expect.objectContaining({ commands: 1 }),
        }),
      ),
    );
  });
});

describe('a command left from an outage of the engines', () => {
  it('is dropped by the first engine that starts', async () => {
    const [shard] = (await fixture.openShards(redis.url)).all;
    const stream = keys.commandStream(shard!.name);
    const late = joinCommands('nobody', [JSON.stringify({ ...purge(), ttlMs: 1 })]);
    // An entry id from an hour ago, as after an outage.
    await shard!.commands.del(stream);
    await shard!.commands.xadd(stream, `${Date.now() - 3_600_000}-0`, commandField, late);
    const ran: Command[] = [];
    await fixture.engine(redis.url, (command) => (ran.push(command), purged(1)));
    const client = await fixture.readyClient(redis.url);
    await client.send(purge());
    expect(ran).toHaveLength(1);
    expect(ran[0]!.ttlMs).toBe(10_000);
  });
});

describe('the transport state', () => {
  it('is down without an engine, and send rejects at once', async () => {
    const client = fixture.client(redis.url);
    expect(client.state('any')).toBe('down');
    await expect(client.send(purge())).rejects.toThrow(TransportLostError);
  });

  it('is backlogged while the oldest waiting command is too old, and new ones get 503', async () => {
    const { held, handle, answerAll } = blockingHandler();
    await fixture.engine(redis.url, handle, { maxInFlight: 1 });
    const inFlight = (await fixture.readyClient(redis.url)).send(purge());
    await eventually(() => expect(held).toHaveLength(1));
    // Opened now: the first command may have waited for longer than this client allows.
    const client = await fixture.readyClient(redis.url, { backlogLimitMs: 100, backlogMaxMs: 100 });
    const waiting = client.send(purge());
    await untilState(client, 'backlogged');
    await expect(client.send(purge())).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    const shards = await fixture.openShards(redis.url);
    expect(await readBacklogAge(shards)).toBeGreaterThan(100);
    answerAll();
    await inFlight;
    await eventually(() => expect(held).toHaveLength(1));
    answerAll();
    await waiting;
    await untilState(client, 'ready');
    expect(await readBacklogAge(shards)).toBe(0);
  });

  it('BX-03 is backlogged for organizations beyond their share only: the others go on', async () => {
    const { held, handle, answerAll } = blockingHandler();
    await fixture.engine(redis.url, handle, { maxInFlight: 1 });
    const [flood, small] = [randomUUID(), randomUUID()];
    const sent = [(await fixture.readyClient(redis.url)).send(purge())];
    await eventually(() => expect(held).toHaveLength(1));
    const client = await fixture.readyClient(redis.url, { backlogLimitMs: 100, backlogMaxMs: 60_000 });
    for (let i = 0; i < 20; i++) sent.push(client.send(purge({ organizationId: flood })));
    sent.push(client.send(purge({ organizationId: small })));
    await untilState(client, 'backlogged', flood);
    await expect(client.send(purge({ organizationId: flood }))).rejects.toMatchObject({ status: 503 });
    expect(client.state(small)).toBe('ready');
    sent.push(client.send(purge({ organizationId: small })), client.send(purge({ organizationId: randomUUID() })));
    const all = Promise.all(sent).then((results) => results.length);
    let answered: number | undefined;
    void all.then((count) => (answered = count));
    await eventually(() => {
      answerAll();
      expect(answered).toBe(24);
    });
    await untilState(client, 'ready', flood);
  });

  it('refuses commands beyond maxInFlight with 503', async () => {
    const { handle, answerAll, held } = blockingHandler();
    await fixture.engine(redis.url, handle);
    const client = await fixture.readyClient(redis.url, { maxInFlight: 1 });
    const inFlight = client.send(purge());
    await expect(client.send(purge())).rejects.toMatchObject({ status: 503 });
    await eventually(() => expect(held).toHaveLength(1));
    answerAll();
    await inFlight;
  });

  it('becomes down when the last engine stops', async () => {
    const { server } = await fixture.engine(redis.url, () => purged(1));
    const client = await fixture.readyClient(redis.url);
    await server.close();
    await untilState(client, 'down');
  });
});

describe('an engine that stops', () => {
  it('MQ-13 finishes and answers commands in flight', async () => {
    const { held, handle, answerAll } = blockingHandler();
    const { server } = await fixture.engine(redis.url, handle);
    const client = await fixture.readyClient(redis.url);
    const sent = [client.send(purge()), client.send(purge())];
    await eventually(() => expect(held).toHaveLength(2));
    const closed = server.close();
    answerAll();
    await expect(Promise.all(sent)).resolves.toHaveLength(2);
    await closed;
  });

  it('leaves its commands to another engine when it is killed, marked as redelivered', async () => {
    const dead = blockingHandler();
    const victim = await fixture.engine(redis.url, dead.handle, { redeliverAfterMs: 150 });
    const client = await fixture.readyClient(redis.url, { clock: new ManualClock() });
    const commands = Array.from({ length: 20 }, () => purge());
    const answers = commands.map((command) => client.send(command));
    await eventually(() => expect(dead.held).toHaveLength(20));

    const redelivered: string[] = [];
    await fixture.engine(
      redis.url,
      ({ id, redelivered: again }) => {
        if (again) redelivered.push(id);
        return purged(2);
      },
      { redeliverAfterMs: 150 },
    );
    for (const shard of victim.shards.all) shard.disconnect();
    await expect(Promise.all(answers)).resolves.toEqual(commands.map(() => ({ purged: 2 })));
    expect(redelivered.sort()).toEqual(commands.map(({ id }) => id).sort());
    dead.answerAll();
  });

  it('keeps a long-running command', async () => {
    const slow = blockingHandler();
    const [clock, otherClock] = [new ManualClock(), new ManualClock()];
    const redeliverAfterMs = 60_000;
    // Takes no command: its heartbeat keeps the client from giving up while the clocks of the others stand.
    await fixture.engine(redis.url, slow.handle, { maxInFlight: 0 });
    await fixture.engine(redis.url, slow.handle, { redeliverAfterMs, clock });
    const client = await fixture.readyClient(redis.url);
    const answer = client.send(purge());
    await clock.until(eventually(() => expect(slow.held).toHaveLength(1)));
    const others: Command[] = [];
    const takeOver = (command: Command) => (others.push(command), purged(2));
    const other = await fixture.engine(redis.url, takeOver, { redeliverAfterMs, clock: otherClock });
    const [shard] = (await fixture.openShards(redis.url)).all as [RedisShard];
    const pending = () => pendingEntry(shard);
    const { engine } = await pending();
    await age(shard, redeliverAfterMs - 1);
    await clock.advance(redeliverAfterMs / 3);
    await eventually(async () => expect((await pending()).idleMs).toBeLessThan(redeliverAfterMs / 2));
    await otherClock.advance(redeliverAfterMs / 3);
    // Behind what the other engine has just sent.
    await other.shards.all[0]!.commands.ping();
    expect([others, await pending()]).toMatchObject([[], { engine }]);
    slow.answerAll();
    await expect(answer).resolves.toEqual({ purged: 1 });
  });

  it('drops a command that crashes every engine, with a 500', async () => {
    const survivor = blockingHandler();
    const settings = { redeliverAfterMs: 60_000, maxDeliveries: 2 };
    // Takes no command: its heartbeat keeps the client from giving up while the clocks of the others stand.
    await fixture.engine(redis.url, survivor.handle, { maxInFlight: 0 });
    const [shard] = (await fixture.openShards(redis.url)).all as [RedisShard];
    const client = await fixture.readyClient(redis.url);
    const answers: unknown[] = [];
    // For longer than the clocks of the engines move.
    void client.send({ ...purge(), ttlMs: 86_400_000 }).catch((error: unknown) => answers.push(error));
    /** An engine that takes over what others have not refreshed. */
    const engine = async (handle: typeof survivor.handle, isDone: () => void) => {
      const clock = new ManualClock();
      const { shards } = await fixture.engine(redis.url, handle, { ...settings, clock });
      await eventually(async () => {
        await clock.advance(settings.redeliverAfterMs / 3);
        isDone();
      });
      return shards;
    };
    for (let life = 1; life <= 2; life++) {
      const { handle, held } = blockingHandler();
      const shards = await engine(handle, () => expect(held).toHaveLength(1));
      for (const one of shards.all) one.disconnect();
      await age(shard, settings.redeliverAfterMs);
    }
    await engine(survivor.handle, () => expect(answers).toMatchObject([{ code: 'INTERNAL_ERROR' }]));
    expect(survivor.held).toHaveLength(0);
  });
});

/** The one command that an engine holds. */
async function pendingEntry({ commands, name }: RedisShard) {
  const pending = await commands.xpending(keys.commandStream(name), engineGroup, '-', '+', 1);
  const [[entryId, engine, idleMs]] = pending as [[string, string, number]];
  return { entryId, engine, idleMs };
}

/** As if the engine had not refreshed its command for so long. */
async function age(shard: RedisShard, idleMs: number): Promise<void> {
  const { entryId, engine } = await pendingEntry(shard);
  const stream = keys.commandStream(shard.name);
  await shard.commands.xclaim(stream, engineGroup, engine, 0, entryId, 'IDLE', idleMs, 'JUSTID');
}

/** One event-loop turn, so that both engines read. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));
