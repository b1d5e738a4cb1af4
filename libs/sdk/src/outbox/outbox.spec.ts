import {
  createTestDatabase,
  eventually,
  ManualClock,
  Receiver,
  SeededRandom,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';
import { Spooled } from '../spooled.js';
import { bulksOf } from './bulks.js';
import { OutboxRefusedError } from './delivery.js';
import { Outbox, type OutboxJobOptions } from './outbox.js';
import { OutboxRows } from './outbox-rows.js';
import type { OutboxRelay } from './relay.js';
import { statementsFor } from './statements.js';

interface SentJob {
  queue: string;
  payload: unknown;
  idempotency_key: string;
}
interface Refusal {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

let database: TestDatabase;
let pool: pg.Pool;
let services: Receiver;
let relays: OutboxRelay[];
let errors: unknown[];
let outbox: Outbox;
/** Jobs that the services have created, in their order. */
let created: SentJob[];
/** What the services answer in place of creating the jobs; null: they create them. 'lost': they create them and say nothing. */
let refusalOf: (jobs: SentJob[]) => Refusal | 'lost' | null;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 10 });
  // A session may outlive `end`, and the drop of the database terminates it.
  pool.on('error', () => undefined);
  services = await Receiver.open();
  services.respond = ({ body }, response) => {
    const { queue_name: queue, jobs } = JSON.parse(body) as { queue_name: string; jobs: Omit<SentJob, 'queue'>[] };
    const sent = jobs.map((job) => ({ ...job, queue }));
    const refusal = refusalOf(sent);
    if (refusal && refusal !== 'lost') {
      return void response.writeHead(refusal.status, refusal.headers).end(JSON.stringify(refusal.body));
    }
    const isKnown = (job: SentJob) => created.some(({ idempotency_key }) => idempotency_key === job.idempotency_key);
    const succeeded = sent.map((job, index) => {
      const isNew = !isKnown(job);
      if (isNew) created.push(job);
      return { index, job_id: job.idempotency_key, created: isNew };
    });
    if (refusal === 'lost') return void response.destroy();
    response.end(JSON.stringify({ succeeded, failed: [] }));
  };
});
afterAll(async () => {
  await services?.close();
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  [relays, errors, created, services.calls.length] = [[], [], [], 0];
  refusalOf = () => null;
  outbox = new Outbox(pool, { pollInterval: '20ms' });
  await outbox.migrate();
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await pool.query('DROP TABLE spooled_outbox');
});

function startRelay(options: { clock?: ManualClock } = {}): OutboxRelay {
  const client = new Spooled({ baseUrl: services.url(''), apiKey: 'key' });
  const relay = outbox.relay(client, { onError: (error) => errors.push(error), ...options });
  relays.push(relay);
  relay.start();
  return relay;
}

async function inTransaction<T>(work: (tx: pg.PoolClient) => Promise<T>, end = 'COMMIT'): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const value = await work(client);
    await client.query(end);
    return value;
  } finally {
    client.release();
  }
}

const enqueue = (payload: unknown, options: OutboxJobOptions & { queue?: string } = {}, end?: string) => {
  const { queue: queueName = 'mails', ...others } = options;
  return inTransaction((tx) => outbox.enqueue(tx, { queueName, payload }, others), end);
};
const payloads = () => created.map(({ payload }) => payload);
const isEmpty = () => eventually(async () => expect(await outbox.status()).toMatchObject({ waiting: 0 }));
const validationError = (details: object = {}): Refusal => ({
  status: 400,
  body: { code: 'VALIDATION_ERROR', message: 'payload: too large', details },
});

describe('jobs of an outbox', () => {
  it('are sent with the transaction that wrote them, under the id of their row', async () => {
    await enqueue('rolled back', {}, 'ROLLBACK');
    const { id } = await enqueue('committed');
    startRelay();
    await isEmpty();
    expect(created).toEqual([{ queue: 'mails', payload: 'committed', idempotency_key: `outbox-${id}` }]);
  });

  it('keep their members, their own key and all digits', async () => {
    const job = {
      queueName: 'q',
      payload: { n: 2n ** 60n, text: "it's \u0000 \\ ü" },
      idempotencyKey: 'own',
      maxRetries: 0,
    };
    await inTransaction((tx) => outbox.enqueue(tx, job));
    startRelay();
    await isEmpty();
    expect(services.calls[0]!.body).toContain('"n":1152921504606846976');
    expect(created).toMatchObject([{ payload: { text: "it's \u0000 \\ ü" }, idempotency_key: 'own', max_retries: 0 }]);
  });

  it('are refused without a transaction, on one connection and on a pool', async () => {
    const client = await pool.connect();
    const job = { queueName: 'mails', payload: 1 };
    await expect(outbox.enqueue(client, job)).rejects.toThrow('tx: no transaction is open');
    client.release();
    await expect(outbox.enqueue(pool, job)).rejects.toThrow('tx: no transaction is open');
    expect(await outbox.status()).toEqual({ waiting: 0, refused: 0, oldest: null });
  });

  it('are written through any client that answers with rows', async () => {
    await inTransaction((tx) => {
      const query = async (text: string, values: (string | null)[]) => (await tx.query(text, values)).rows;
      return outbox.enqueue({ query }, { queueName: 'mails', payload: 1 });
    });
    expect(await outbox.status()).toMatchObject({ waiting: 1, oldest: expect.any(Date) });
  });

  it('are kept aside when they are no JSON', async () => {
    await pool.query("INSERT INTO spooled_outbox (id, queue_name, job) VALUES (gen_random_uuid(), 'q', '{')");
    await enqueue(1);
    startRelay();
    await isEmpty();
    expect(payloads()).toEqual([1]);
    expect(errors).toEqual([expect.any(OutboxRefusedError)]);
  });

  it.each([
    [{}, { queueName: 'q', payload: 1 }, {}, 'tx: must be a client of Prisma, postgres.js'],
    [{ query: () => undefined }, { payload: 1 }, {}, 'queueName: must be a text'],
    [{ query: () => undefined }, { queueName: 'q', payload: 1 }, { orderingKey: '' }, 'orderingKey: must be a text'],
    [{ query: () => undefined }, { queueName: 'q\0', payload: 1 }, {}, 'queueName: must be a text'],
    [{ query: () => undefined }, { queueName: 'q', payload: 1 }, { orderingKey: 'k\0' }, 'orderingKey: must be a text'],
    [{ query: () => undefined }, { queueName: 'q', payload: 1 }, { orderingKey: 'k'.repeat(256) }, 'orderingKey: must'],
    [{ query: () => undefined }, { queueName: 'q', payload: 1 }, { order: 'k' }, 'order: no such option'],
    [{ query: () => undefined }, { queueName: 'q', payload: 1 }, {}, 'query: must return the rows'],
  ])('are refused for what they are given: %#', async (tx, job, options, message) => {
    await expect(outbox.enqueue(tx, job as never, options as OutboxJobOptions)).rejects.toThrow(message);
  });
});

describe('the table of an outbox', () => {
  it('is created once by processes that start together, in the schema that its name says', async () => {
    await pool.query('CREATE SCHEMA app');
    const own = new Outbox(pool, { table: 'app.jobs_to_send' });
    await Promise.all(Array.from({ length: 8 }, () => own.migrate()));
    expect(await own.status()).toMatchObject({ waiting: 0 });
    await pool.query('DROP SCHEMA app CASCADE');
  });

  it.each(['Jobs', 'a.b.c', 'x"; DROP', '', `${'x'.repeat(49)}`])('has no name such as %j', (table) => {
    expect(() => new Outbox(pool, { table })).toThrow('table: must be');
  });
});

describe('a relay', () => {
  it('keeps the order of each key and creates each job once, beside others, while services fail and answers are lost', async () => {
    const random = new SeededRandom(23);
    refusalOf = () => {
      const fate = random.between(0, 9);
      return fate < 1 ? { status: 503, body: {} } : fate < 3 ? 'lost' : null;
    };
    const wanted = new Map<string, number[]>();
    for (let first = 0; first < 150; first += 3) {
      await inTransaction(async (tx) => {
        for (let n = first; n < first + 3; n++) {
          const orderingKey = `key ${random.between(0, 4)}`;
          wanted.set(orderingKey, [...(wanted.get(orderingKey) ?? []), n]);
          const job = { queueName: `q${random.between(0, 2)}`, payload: { orderingKey, n } };
          await outbox.enqueue(tx, job, { orderingKey });
        }
      });
      if (first % 15 === 0 && relays.length < 3) startRelay();
    }
    await isEmpty();
    const order = new Map<string, number[]>();
    for (const { orderingKey, n } of payloads() as { orderingKey: string; n: number }[]) {
      order.set(orderingKey, [...(order.get(orderingKey) ?? []), n]);
    }
    expect(order).toEqual(wanted);
  });

  it('takes no row behind one that another relay takes at the same moment', async () => {
    await pool.query(`INSERT INTO spooled_outbox (id, ordering_key, queue_name, job)
      SELECT gen_random_uuid(), 'k', 'q', '{}' FROM generate_series(1, 501)`);
    await inTransaction(async (tx) => {
      const rowsOf = (client: pg.Pool | pg.PoolClient) =>
        new OutboxRows(client, statementsFor('spooled_outbox'), 30_000);
      expect((await rowsOf(tx).take()).rows).toHaveLength(500);
      expect((await rowsOf(pool).take()).rows).toEqual([]);
    }, 'ROLLBACK');
    startRelay();
    await isEmpty();
    expect(created).toHaveLength(501);
  });

  it('keeps a refused job aside with its error, and what is behind it in its key, but nothing else', async () => {
    refusalOf = (jobs) => (jobs.some(({ payload }) => payload === 'bad') ? validationError() : null);
    const keys = ['a', 'b', undefined, 'a', 'b'];
    for (const [n, orderingKey] of keys.entries()) {
      if (n === 1) await enqueue('bad', { orderingKey: 'a' });
      await enqueue(n, { orderingKey });
    }
    startRelay();
    await eventually(async () => expect(await outbox.status()).toMatchObject({ waiting: 1, refused: 1 }));
    expect(payloads()).toEqual([0, 1, 2, 4]);
    const [refused] = await outbox.refused();
    expect(refused).toMatchObject({
      orderingKey: 'a',
      job: { queueName: 'mails', payload: 'bad' },
      error: 'payload: too large',
    });
    expect(errors).toEqual([expect.any(OutboxRefusedError)]);
    expect(await outbox.retry([refused!.id])).toEqual([refused!.id]);
    await eventually(() => expect(errors).toHaveLength(2));
    expect(await outbox.discard([refused!.id])).toEqual([refused!.id]);
    await isEmpty();
    expect(payloads()).toEqual([0, 1, 2, 4, 3]);
    expect(await outbox.discard([refused!.id])).toEqual([]);
  });

  it('sends others beside more jobs than it takes at once that wait behind a refused one', async () => {
    await pool.query(`INSERT INTO spooled_outbox (id, ordering_key, queue_name, job, due_at)
      SELECT gen_random_uuid(), 'k', 'q', '{}', CASE n WHEN 1 THEN 'infinity' ELSE now() END FROM generate_series(1, 600) AS n`);
    await enqueue('other');
    startRelay();
    await eventually(async () => expect(await outbox.status()).toMatchObject({ waiting: 600 }));
    expect(payloads()).toEqual(['other']);
  });

  it('asks once about jobs whose queue is refused', async () => {
    refusalOf = () => validationError({ queue_name: 'is not a name' });
    for (let n = 0; n < 5; n++) await enqueue(n, { queue: '..' });
    startRelay();
    await eventually(async () => expect(await outbox.status()).toMatchObject({ refused: 5 }));
    expect(services.calls).toHaveLength(1);
  });

  it.each([
    [429, { code: 'THROTTLED' }, { 'retry-after': '900' }, 900],
    [429, { code: 'QUOTA_EXCEEDED' }, {}, 1],
    [403, { code: 'FORBIDDEN' }, {}, 1],
  ])('postpones jobs that get %i %j, and sends those of other queues', async (status, body, headers, seconds) => {
    await enqueue(1, { queue: 'limited', orderingKey: 'k' });
    await enqueue(2, { orderingKey: 'k' });
    await enqueue(3);
    let stopped: Promise<void> | undefined;
    refusalOf = ([first]) => {
      if (first!.queue === 'limited') return { status, body, headers };
      // The last request of the batch: what was postponed for a second may be due at the next look.
      stopped ??= relay.stop();
      return null;
    };
    const relay = startRelay();
    await eventually(() => expect(stopped).toBeDefined());
    await stopped;
    expect([errors.length, payloads()]).toEqual([1, [3]]);
    const { rows } = await pool.query<{ wait: string; attempts: number }>(
      'SELECT extract(epoch FROM max(due_at) - now()) AS wait, max(attempts) AS attempts FROM spooled_outbox',
    );
    expect(rows[0]!.attempts).toBe(1);
    expect(Number(rows[0]!.wait)).toBeLessThanOrEqual(seconds);
    expect(Number(rows[0]!.wait)).toBeGreaterThan(seconds - 60);
  });

  it('sends what fits a cap that is smaller than its requests, in order, and asks no more for the rest', async () => {
    const free = 7;
    refusalOf = (jobs) =>
      created.length + jobs.length > free ? { status: 429, body: { code: 'QUOTA_EXCEEDED' } } : null;
    await inTransaction(async (tx) => {
      for (let n = 0; n < 300; n++)
        await outbox.enqueue(tx, { queueName: 'q', payload: n }, { orderingKey: `${n % 2}` });
    });
    const relay = startRelay();
    await eventually(() => expect(errors).toHaveLength(1));
    await relay.stop();
    expect(payloads()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(services.calls.length).toBeLessThan(20);
  });

  it.each([400, 403, 404])('takes a %i of a proxy for an outage, and no job for refused', async (status) => {
    const answers: Refusal[] = [{ status, body: { message: 'no server of Spooled' } }];
    refusalOf = () => answers.shift() ?? null;
    await enqueue(1);
    const clock = new ManualClock();
    startRelay({ clock });
    await eventually(() => expect(clock.timers).toEqual([40]));
    expect(errors).toEqual([expect.objectContaining({ status })]);
    await clock.advance(40);
    await isEmpty();
    expect(payloads()).toEqual([1]);
  });

  it('pauses as long as services that take nothing ask, longer each time without, and not for a wake-up', async () => {
    const clock = new ManualClock();
    const answers: Refusal[] = [
      { status: 503, body: {}, headers: { 'retry-after': '77' } },
      { status: 401, body: {} },
      { status: 502, body: {} },
    ];
    refusalOf = () => answers.shift() ?? null;
    await enqueue(1);
    startRelay({ clock });
    for (const pauseMs of [77_000, 20 * 4, 20 * 8]) {
      await eventually(() => expect(clock.timers).toEqual([pauseMs]));
      outbox.wake();
      await clock.advance(pauseMs - 1);
      expect(clock.timers).toEqual([1]);
      await clock.advance(1);
    }
    await isEmpty();
    await eventually(() => expect(clock.timers).toEqual([20]));
    await enqueue(2);
    outbox.wake();
    await eventually(() => expect(payloads()).toEqual([1, 2]));
  });

  it('sends alone what a server leaves out of its answer', async () => {
    const respond = services.respond;
    services.respond = (call, response) => {
      const { jobs } = JSON.parse(call.body) as { jobs: { payload: number }[] };
      if (jobs.length === 1 && jobs[0]!.payload === 2) {
        return void response.end(JSON.stringify({ succeeded: [], failed: [{ index: 0, error: 'no luck' }] }));
      }
      if (jobs.length === 1) return respond(call, response);
      response.end(JSON.stringify({ succeeded: [{ index: 0, job_id: 'j', created: true }], failed: [] }));
    };
    for (const n of [1, 2, 3]) await enqueue(n);
    startRelay();
    await isEmpty();
    services.respond = respond;
    expect(payloads()).toEqual([3]);
    expect(await outbox.refused()).toMatchObject([{ job: { payload: 2 }, error: 'no luck' }]);
  });

  it('gives back what it has not sent when it is stopped', async () => {
    for (let n = 0; n < 3; n++) await enqueue(n, { queue: `q${n}` });
    const relay = startRelay();
    let stopped: Promise<void> | undefined;
    refusalOf = () => {
      stopped ??= relay.stop();
      return null;
    };
    await eventually(() => expect(stopped).toBeDefined());
    await stopped;
    expect(payloads()).toEqual([0]);
    startRelay();
    await isEmpty();
    expect(payloads()).toEqual([0, 1, 2]);
    expect(() => relay.start()).toThrow('Relay already started');
  });

  it('sends no more of rows whose lease has ended: another relay may do so', async () => {
    const clock = new ManualClock();
    const acts: string[] = [];
    const query = async (text: string, values: (string | null)[]) => {
      if (text === statementsFor('spooled_outbox').take) acts.push('take');
      return (await pool.query<Record<string, unknown>>(text, values)).rows;
    };
    outbox = new Outbox({ query });
    refusalOf = ([job]) => {
      if (acts.push(job!.queue) === 2) void clock.advance(30_000);
      return null;
    };
    await enqueue(1, { queue: 'a' });
    await enqueue(2, { queue: 'b' });
    startRelay({ clock });
    await isEmpty();
    expect(acts.slice(0, 4)).toEqual(['take', 'a', 'take', 'b']);
  });

  it('goes on after the database was away', async () => {
    await pool.query('ALTER TABLE spooled_outbox RENAME TO gone');
    startRelay();
    await eventually(() => expect(errors).not.toEqual([]));
    await pool.query('ALTER TABLE gone RENAME TO spooled_outbox');
    await enqueue(1);
    await isEmpty();
    expect(payloads()).toEqual([1]);
  });
});

describe('requests of a relay', () => {
  const row = (seq: number, queueName: string, orderingKey: string | null = null, size = 1) => ({
    ...{ seq, queueName, orderingKey, size },
    ...{ id: '', job: '', attempts: 0 },
  });
  const planned = (...rows: ReturnType<typeof row>[]) => bulksOf(rows).map((bulk) => bulk.map(({ seq }) => seq));

  it('have jobs of one queue, and keep the order of keys that have several', () => {
    expect(planned(row(1, 'a'), row(2, 'b'), row(3, 'a'))).toEqual([[1, 3], [2]]);
    expect(planned(row(1, 'a', 'k'), row(2, 'b', 'k'), row(3, 'a', 'k'), row(4, 'a'))).toEqual([[1], [2], [3, 4]]);
    expect(planned(row(1, 'a', 'k'), row(2, 'b', 'k'), row(3, 'a', 'other'))).toEqual([[1, 3], [2]]);
  });

  it('have at most 100 jobs and 4 MB, and larger ones alone', () => {
    const sizes = bulksOf(Array.from({ length: 250 }, (_, n) => row(n, 'a'))).map(({ length }) => length);
    expect(sizes).toEqual([100, 100, 50]);
    const mb = 1024 * 1024;
    expect(
      planned(row(1, 'a', null, 3 * mb), row(2, 'a', null, 3 * mb), row(3, 'a', null, 9 * mb), row(4, 'a')),
    ).toEqual([[1], [2], [3], [4]]);
  });
});
