import { TransportLostError, type Command, type Outcome } from '@spooled/contracts';
import { quotaExceeded, SpooledError } from '@spooled/domain';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { Opened, purge, purged } from './command-stream.fixture.js';
import { keys } from '../connection/keys.js';
import { commandField, joinCommands } from './wire.js';

let redis: TestRedis;
let opened: Opened;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis.close());
beforeEach(() => (opened = new Opened()));
afterEach(() => opened.closeAll());

type Client = ReturnType<Opened['client']>;
const becomes = (client: Client, state: string, organizationId = 'any') =>
  eventually(() => expect(client.state(organizationId)).toBe(state));
const readyClient = async (urls = redis.url, options = {}): Promise<Client> => {
  const client = opened.client(urls, options);
  await becomes(client, 'ready');
  return client;
};
const streamLength = async (): Promise<number> => {
  const [shard] = opened.shards(redis.url).all;
  await eventually(() => expect(shard!.connected).toBe(true));
  return shard!.commands.xlen(keys.commandStream(shard!.name));
};

/** A handler that holds every command until it is told what to answer. */
function holding() {
  const held: { command: Command; answer: (outcome: Outcome) => void }[] = [];
  const handle = (command: Command) => new Promise<Outcome>((answer) => held.push({ command, answer }));
  const answerAll = () => held.splice(0).forEach(({ answer }) => answer(purged(1)));
  return { held, handle, answerAll };
}

describe('a command on its way', () => {
  it('comes back with the answer of its handler and leaves nothing behind', async () => {
    await opened.engine(redis.url, (command) => purged((command.body as { limit: number }).limit));
    const client = await readyClient();
    await expect(client.send(purge({ limit: 7 }))).resolves.toEqual({ purged: 7 });
    await eventually(async () => expect(await streamLength()).toBe(0));
  });

  it('runs on exactly one of two engines', async () => {
    const ran: string[][] = [[], []];
    const [first, second] = ran as [string[], string[]];
    await opened.engine(redis.url, async ({ id }) => (first.push(id), await turn(), purged(1)), { batchSize: 10 });
    await opened.engine(redis.url, async ({ id }) => (second.push(id), await turn(), purged(1)), { batchSize: 10 });
    const client = await readyClient();
    const commands = Array.from({ length: 1000 }, () => purge());
    await Promise.all(commands.map((command) => client.send(command)));
    expect([...first, ...second].sort()).toEqual(commands.map(({ id }) => id).sort());
    expect(first.length).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThan(0);
  });

  it('brings a typed error back whole', async () => {
    const error = quotaExceeded('active_jobs', 10, 10, 'free', 'starter');
    await opened.engine(redis.url, () => ({ ok: false, error: error.toShape() }));
    const client = await readyClient();
    const received = (await client.send(purge()).catch((caught: unknown) => caught)) as SpooledError;
    expect(received).toBeInstanceOf(SpooledError);
    expect(received.toShape()).toEqual(error.toShape());
  });

  it('answers a handler that throws with a plain 500 and logs the reason', async () => {
    await opened.engine(redis.url, () => {
      throw new Error('a bug');
    });
    const client = await readyClient();
    await expect(client.send(purge())).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'Internal error' });
    expect(opened.log.lines).toContainEqual(expect.objectContaining({ message: 'A command handler failed' }));
  });

  it('carries an answer that is too large to be published', async () => {
    const jobIds = Array.from({ length: 20_000 }, (_, index) => `job-${index}`);
    await opened.engine(redis.url, () => ({ ok: true, value: { jobIds } }));
    const client = await readyClient();
    await expect(client.send(purge())).resolves.toEqual({ jobIds });
  });

  it('passes through the wrap hook of the engine, with its trace context', async () => {
    const seen: (string | null)[] = [];
    await opened.engine(redis.url, () => purged(1), {
      wrap: (command, run) => (seen.push(command.traceparent), run()),
    });
    const client = await readyClient();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await client.send({ ...purge(), traceparent });
    expect(seen).toEqual([traceparent]);
  });
});

describe('a command that nobody may run any more', () => {
  it('gets 503 after its deadline', async () => {
    const { handle, answerAll } = holding();
    await opened.engine(redis.url, handle);
    const client = await readyClient();
    await expect(client.send({ ...purge(), ttlMs: 50 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    answerAll();
  });

  it('is dropped, not run late', async () => {
    const { held, handle, answerAll } = holding();
    await opened.engine(redis.url, handle, { maxInWork: 1 });
    const client = await readyClient();
    const first = client.send(purge());
    await eventually(() => expect(held).toHaveLength(1));
    await expect(client.send({ ...purge(), ttlMs: 50 })).rejects.toThrow(SpooledError);
    answerAll();
    await first;
    await eventually(async () => expect(await streamLength()).toBe(0));
    expect(held).toHaveLength(0);
    await eventually(() =>
      expect(opened.log.lines).toContainEqual(
        expect.objectContaining({
          message: 'Dropped commands past their deadline',
          fields: expect.objectContaining({ commands: 1 }),
        }),
      ),
    );
  });
});

describe('what was left from a time without engines', () => {
  it('is dropped by the first engine that comes', async () => {
    const [shard] = opened.shards(redis.url).all;
    await eventually(() => expect(shard!.connected).toBe(true));
    const stream = keys.commandStream(shard!.name);
    const late = joinCommands('nobody', [JSON.stringify({ ...purge(), ttlMs: 1 })]);
    // An id from an hour ago, as it stands there after an outage of the engines.
    await shard!.commands.del(stream);
    await shard!.commands.xadd(stream, `${Date.now() - 3_600_000}-0`, commandField, late);
    const ran: Command[] = [];
    await opened.engine(redis.url, (command) => (ran.push(command), purged(1)));
    const client = await readyClient();
    await client.send(purge());
    expect(ran).toHaveLength(1);
    expect(ran[0]!.ttlMs).toBe(10_000);
  });
});

describe('the state of the way', () => {
  it('is down without an engine, and send says so at once', async () => {
    const client = opened.client(redis.url);
    expect(client.state('any')).toBe('down');
    await expect(client.send(purge())).rejects.toThrow(TransportLostError);
  });

  it('is backlogged while the oldest waiting command is too old, and new ones get 503', async () => {
    const { held, handle, answerAll } = holding();
    await opened.engine(redis.url, handle, { maxInWork: 1 });
    const client = await readyClient(redis.url, { backlogLimitMs: 100 });
    const inWork = client.send(purge());
    await eventually(() => expect(held).toHaveLength(1));
    const waiting = client.send(purge());
    await becomes(client, 'backlogged');
    await expect(client.send(purge())).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    answerAll();
    await inWork;
    await eventually(() => expect(held).toHaveLength(1));
    answerAll();
    await waiting;
    await becomes(client, 'ready');
  });

  it('refuses with 503 what exceeds the commands under way', async () => {
    const { handle, answerAll, held } = holding();
    await opened.engine(redis.url, handle);
    const client = await readyClient(redis.url, { maxInFlight: 1 });
    const inWork = client.send(purge());
    await expect(client.send(purge())).rejects.toMatchObject({ status: 503 });
    await eventually(() => expect(held).toHaveLength(1));
    answerAll();
    await inWork;
  });

  it('turns down when the last engine leaves', async () => {
    const { server } = await opened.engine(redis.url, () => purged(1));
    const client = await readyClient();
    await server.close();
    await becomes(client, 'down');
  });
});

describe('an engine that ends', () => {
  it('finishes and answers what it has in work when it is stopped', async () => {
    const { held, handle, answerAll } = holding();
    const { server } = await opened.engine(redis.url, handle);
    const client = await readyClient();
    const sent = [client.send(purge()), client.send(purge())];
    await eventually(() => expect(held).toHaveLength(2));
    const closed = server.close();
    answerAll();
    await expect(Promise.all(sent)).resolves.toHaveLength(2);
    await closed;
  });

  it('leaves its commands to another one when it is killed, marked as redelivered', async () => {
    const dead = holding();
    const victim = await opened.engine(redis.url, dead.handle, { redeliverAfterMs: 150 });
    const client = await readyClient();
    const commands = Array.from({ length: 20 }, () => purge());
    const answers = commands.map((command) => client.send(command));
    await eventually(() => expect(dead.held).toHaveLength(20));

    const redelivered: string[] = [];
    await opened.engine(
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

  it('keeps a command that merely takes long', async () => {
    const slow = holding();
    await opened.engine(redis.url, slow.handle, { redeliverAfterMs: 150, maxInWork: 1 });
    const client = await readyClient();
    const answer = client.send(purge());
    await eventually(() => expect(slow.held).toHaveLength(1));
    const others: Command[] = [];
    await opened.engine(redis.url, (command) => (others.push(command), purged(2)), { redeliverAfterMs: 150 });
    // Commands of this one come and go several times over the limit while the first stays where it is.
    for (const end = Date.now() + 600; Date.now() < end;) await client.send(purge());
    expect(others.filter(({ delivery }) => delivery !== 1)).toEqual([]);
    slow.answerAll();
    await expect(answer).resolves.toEqual({ purged: 1 });
  });

  it('gives up a command that kills every engine, with a 500', async () => {
    const client = opened.client(redis.url);
    const settings = { redeliverAfterMs: 60, maxDeliveries: 2 };
    const survivor = holding();
    let answer: Promise<unknown> | undefined;
    for (let life = 1; life <= 2; life++) {
      const victim = holding();
      const { shards } = await opened.engine(redis.url, victim.handle, settings);
      await becomes(client, 'ready');
      answer ??= client.send(purge()).catch((error: unknown) => error);
      await eventually(() => expect(victim.held).toHaveLength(1));
      for (const shard of shards.all) shard.disconnect();
    }
    await opened.engine(redis.url, survivor.handle, settings);
    await expect(answer).resolves.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(survivor.held).toHaveLength(0);
  });
});

/** One turn of the event loop, so that both engines get to read. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
