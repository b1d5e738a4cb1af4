import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { NotFoundError, Spooled, ValidationError } from '@spooled/sdk';
import { Outbox } from '@spooled/sdk/outbox';
import { createTestDatabase, eventually, Receiver, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { EmbeddedFixture, endsAs, startWorker, stopWorkers } from './embedded.fixture.js';
import type { EmbeddedSpooled } from './index.js';
import { libraries, type OpenLibrary, type OpenTransaction } from './sql-libraries.fixture.js';

// The same promises of `tx`, `completeIn` and the outbox for each library of the application.

// Roles belong to the server, which other specs use too.
const role = `shop_${randomUUID().replaceAll('-', '')}`;

let fixture: EmbeddedFixture;
let spooled: EmbeddedSpooled;
/** With Spooled, but without the organization. */
let other: TestDatabase;
/** Without Spooled, on the same server. */
let empty: TestDatabase;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  spooled = await fixture.start();
  [other, empty] = await Promise.all([createTestDatabase(), createTestDatabase({ empty: true })]);
  await fixture.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'shop'; GRANT spooled_app TO ${role};
    ALTER ROLE ${role} SET search_path = shop; CREATE SCHEMA shop AUTHORIZATION ${role};
    SET ROLE ${role}; CREATE TABLE shop.orders (name text PRIMARY KEY); RESET ROLE`);
});
afterEach(stopWorkers);
afterAll(async () => {
  await Promise.all([other, empty].map((database) => database?.drop()));
  await fixture?.sql(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  await fixture?.close();
});

const asShop = ({ superuserUrl }: TestDatabase): string => {
  const url = new URL(superuserUrl);
  [url.username, url.password] = [role, 'shop'];
  return url.href;
};

describe.each(Object.keys(libraries))('BX-18 a transaction of %s', (name) => {
  let library: OpenLibrary;
  /** Of this library. */
  const queue = name.toLowerCase().replaceAll(/[ .]/g, '-');
  beforeAll(async () => {
    library = await libraries[name]!(asShop(fixture.database));
  });
  afterAll(() => library?.close());

  const create = (tx: OpenTransaction['tx'], job: object = {}) =>
    spooled.jobs.create({ queueName: queue, payload: 1, ...job }, { tx });
  const order = (sql: OpenTransaction['sql'], id: string) => sql(`INSERT INTO orders VALUES ('${id}')`);
  const ordersOf = async (id: string) => (await fixture.sql('SELECT FROM shop.orders WHERE name = $1', [id])).length;
  const exists = (id: string) =>
    spooled.jobs.get(id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFoundError) return false;
        throw error;
      },
    );
  const countOf = async (queueName: string) =>
    (await fixture.sql('SELECT FROM jobs WHERE queue_name = $1', [queueName])).length;
  /** What the application's transaction has set. */
  const settingsOf = async (sql: OpenTransaction['sql']) =>
    (
      await sql<object>(`SELECT current_user::text AS a, current_setting('search_path') AS b,
        coalesce(current_setting('app.current_org_id', true), '') AS c`)
    )[0];
  const rollBack = new Error('roll back');

  it('commits a job with the rows, and with all of its values, and leaves role and settings as they were', async () => {
    const payload = {
      ...{ big: 2n ** 60n, negative: -(2n ** 63n), fraction: 0.1, at: new Date('2026-11-27T04:00:00.123Z') },
      text: `it's "ü" 🎉 \\ \\? ? $1 :a :b: ?? \u0000 {x} %s`,
      large: 'é'.repeat(200_000),
    };
    const job = { payload, tags: { 'a?b': ['$1', '?'] }, idempotencyKey: `${queue}? $1 :k '"\\`, priority: -7 };
    const id = await library.transaction(async ({ tx, sql }) => {
      await order(sql, queue);
      const before = await settingsOf(sql);
      const created = await create(tx, { ...job, queueName: `${queue}-values` });
      expect(created).toEqual({ id: expect.any(String), created: true });
      expect(await settingsOf(sql)).toEqual(before);
      return created.id;
    });
    expect(await ordersOf(queue)).toBe(1);
    expect(await spooled.jobs.get(id)).toMatchObject({
      ...{ ...job, status: 'pending' },
      payload: { ...payload, at: payload.at.toISOString() },
    });
    const received = Promise.withResolvers<unknown>();
    await startWorker(spooled, { [`${queue}-values`]: ({ payload: given }) => received.resolve(given) });
    expect(await received.promise).toEqual({ ...payload, at: payload.at.toISOString() });
  });

  it('rolls a job back with the rows', async () => {
    const ids: string[] = [];
    const rolledBack = library.transaction(async ({ tx, sql }) => {
      await order(sql, `${queue} rolled back`);
      ids.push((await create(tx)).id);
      throw rollBack;
    });
    await expect(rolledBack).rejects.toBe(rollBack);
    expect([await ordersOf(`${queue} rolled back`), await exists(ids[0]!)]).toEqual([0, false]);
  });

  it('rolls back what a savepoint holds, and nothing else', async () => {
    const ids = await library.transaction(async ({ tx, sql, nested }) => {
      const before = await settingsOf(sql);
      const outer = await create(tx);
      const inner: string[] = [];
      const undone = nested(async (savepoint) => {
        inner.push((await create(savepoint.tx)).id);
        throw rollBack;
      });
      await expect(undone).rejects.toBe(rollBack);
      const kept = await nested(async (savepoint) => create(savepoint.tx));
      expect(await settingsOf(sql)).toEqual(before);
      return [outer.id, inner[0]!, kept.id];
    });
    expect(await Promise.all(ids.map(exists))).toEqual([true, false, true]);
  });

  it('creates one job for an idempotency key, also with calls that do not wait for each other', async () => {
    const keyed = { idempotencyKey: `${queue} once` };
    const [first, second, another] = await library.transaction(({ tx }) =>
      Promise.all([create(tx, keyed), create(tx, keyed), create(tx)]),
    );
    expect([first!.created, second]).toEqual([true, { id: first!.id, created: false }]);
    expect(another!.created).toBe(true);
    const later = await library.transaction(({ tx }) => create(tx, keyed));
    expect(later).toEqual({ id: first!.id, created: false });
  });

  it('remains usable when a job is refused', async () => {
    const { id } = await library.transaction(async ({ tx }) => {
      await expect(create(tx, { priority: 1_000 })).rejects.toThrow(ValidationError);
      await expect(create(tx, { parentJobId: randomUUID() })).rejects.toThrow('no such job');
      return create(tx);
    });
    expect(await exists(id)).toBe(true);
  });

  it('updates workflows and cancels children of jobs that failed', async () => {
    const parent = await spooled.jobs.create({ queueName: queue, payload: 1 });
    await spooled.jobs.cancel(parent.id);
    const { id } = await library.transaction(({ tx }) => create(tx, { parentJobId: parent.id }));
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'cancelled' });
  });

  it('is refused before it begins and after it has ended, and creates nothing', async () => {
    const queueName = `${queue}-outside`;
    await expect(create(library.outside, { queueName })).rejects.toThrow('tx: no transaction is open');
    const ended = await library.transaction(async ({ tx }) => tx);
    await expect(create(ended, { queueName })).rejects.toThrow();
    expect(await countOf(queueName)).toBe(0);
  });

  it('is refused in another database, and remains usable', async () => {
    const refusals = new Map([
      [
        other,
        `tx: its database has no organization ${spooled.organizationId}: it must be the database of this process`,
      ],
      [empty, 'tx: its database has no installation of Spooled in the schema public: it must be'],
    ]);
    for (const [database, refusal] of refusals) {
      const elsewhere = await libraries[name]!(asShop(database));
      try {
        await elsewhere.transaction(async ({ tx, sql }) => {
          const before = await settingsOf(sql);
          for (const _ of [1, 2]) await expect(create(tx)).rejects.toThrow(refusal);
          expect(await settingsOf(sql)).toEqual(before);
        });
      } finally {
        await elsewhere.close();
      }
    }
    const client = new pg.Client({ connectionString: other.superuserUrl });
    await client.connect();
    expect((await client.query('SELECT FROM jobs')).rowCount).toBe(0);
    await client.end();
  });

  it('is refused when it has failed, or its connection is lost', async () => {
    const queueName = `${queue}-failed`;
    const failed = library.transaction(async ({ tx, sql }) => {
      await expect(sql('SELECT 1 / 0')).rejects.toThrow();
      const refusal: unknown = await create(tx, { queueName }).catch((error: unknown) => error);
      expect(inspect(refusal)).toContain('25P02');
      throw rollBack;
    });
    await expect(failed).rejects.toThrow();
    const lost = library.transaction(async ({ tx, sql }) => {
      await create(tx, { queueName });
      const [{ pid }] = (await sql<{ pid: number }>('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
      await fixture.sql('SELECT pg_terminate_backend($1, 5000)', [pid]);
      if (library.diesOfStatements) await new Promise(() => undefined);
      await expect(create(tx, { queueName })).rejects.toThrow();
    });
    await expect(lost).rejects.toThrow();
    expect(await countOf(queueName)).toBe(0);
    await library.transaction(({ tx }) => create(tx));
  });

  it('commits the result of a handler with its rows, or neither', async () => {
    const queueName = `${queue}-completes`;
    const result = { big: 2n ** 60n, text: `it's ? $1 "\\ 🎉` };
    const job = { queueName, maxRetries: 0 };
    const yes = await spooled.jobs.create({ ...job, payload: `${queue} yes` });
    const child = await spooled.jobs.create({ ...job, payload: `${queue} child`, parentJobId: yes.id });
    const no = await spooled.jobs.create({ ...job, payload: `${queue} no` });
    await startWorker(spooled, {
      [queueName]: ({ payload }, { completeIn }) =>
        library.transaction(async ({ tx, sql }) => {
          const before = await settingsOf(sql);
          await order(sql, String(payload));
          const completed = await completeIn(tx, result);
          expect(await settingsOf(sql)).toEqual(before);
          if (payload === `${queue} no`) throw rollBack;
          return completed;
        }),
    });
    await endsAs(spooled, yes.id, { status: 'completed', result });
    await endsAs(spooled, no.id, { status: 'deadletter', lastError: 'roll back' });
    await endsAs(spooled, child.id, { status: 'completed' });
    expect([await ordersOf(`${queue} yes`), await ordersOf(`${queue} no`)]).toEqual([1, 0]);
  });

  it('writes jobs into an outbox, whose relay works with the same library', async () => {
    const services = await Receiver.open();
    const [sent, errors]: [unknown[], unknown[]] = [[], []];
    services.respond = ({ body }, response) => {
      const { jobs } = JSON.parse(body) as { jobs: { payload: unknown }[] };
      if (jobs.some(({ payload }) => payload === 'bad')) {
        return void response.writeHead(400).end(JSON.stringify({ code: 'VALIDATION_ERROR', message: 'bad' }));
      }
      sent.push(...jobs.map(({ payload }) => payload));
      const succeeded = jobs.map((_, index) => ({ index, job_id: randomUUID(), created: true }));
      response.end(JSON.stringify({ succeeded, failed: [] }));
    };
    const table = `${queue.replaceAll('-', '_')}_outbox`;
    const outbox = new Outbox(library.outside, { table, pollInterval: '20ms' });
    const job = (payload: unknown) => ({ queueName: 'mails', payload });
    await expect(library.transaction(({ tx }) => outbox.enqueue(tx, job(1)))).rejects.toThrow(
      `tx: its database has no table ${table}`,
    );
    await outbox.migrate();
    await expect(outbox.enqueue(library.outside, job(1))).rejects.toThrow('tx: no transaction is open');
    const text = `it's ? $1 "\\ 🎉`;
    await library.transaction(async ({ tx, nested }) => {
      await outbox.enqueue(tx, job(text), { orderingKey: '? $1' });
      const undone = nested(async (savepoint) => {
        await outbox.enqueue(savepoint.tx, job('never'));
        throw rollBack;
      });
      await expect(undone).rejects.toBe(rollBack);
    });
    await library.transaction(({ tx }) => outbox.enqueue(tx, job('bad')));
    const relay = outbox.relay(new Spooled({ baseUrl: services.url(''), apiKey: 'key' }), {
      onError: (error) => errors.push(error),
    });
    try {
      relay.start();
      await eventually(async () => expect(await outbox.status()).toMatchObject({ waiting: 0, refused: 1 }));
      expect(sent).toEqual([text]);
      const [refused] = await outbox.refused();
      expect(await outbox.discard([refused!.id])).toEqual([refused!.id]);
    } finally {
      await relay.stop();
      await services.close();
    }
  });
});

describe('BX-18 a client of node-postgres', () => {
  const job = { queueName: 'unconnected', payload: 1 };

  it('is refused before it is connected, where statements would wait without end', async () => {
    const client = new pg.Client({ connectionString: asShop(fixture.database) });
    await expect(spooled.jobs.create(job, { tx: client })).rejects.toThrow('tx: this client is not connected');
    expect(() => new Outbox(client)).toThrow('client: this client is not connected');
    const connecting = client.connect();
    await expect(spooled.jobs.create(job, { tx: client })).rejects.toThrow('tx: no transaction is open');
    await connecting;
    await client.end();
    await expect(spooled.jobs.create(job, { tx: client })).rejects.toThrow('closed');
  });
});
