import { randomUUID } from 'node:crypto';
import {
  eventually,
  ManualClock,
  openConnections,
  startPgBouncer,
  useDatabase,
  useForAll,
  useSuperuser,
} from '@spooled/testing';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { WakeupListener, type WakeupListenerState } from './wakeup-listener.js';
import { installationIn } from '../database/installation.js';
import { WakeupSender } from './wakeup-sender.js';

const installation = installationIn();
const { wakeupChannel } = installation;

const database = useDatabase();
const superuser = useSuperuser(database);
const db = useForAll(
  () => Promise.resolve({ open: openConnections(database) }),
  ({ open }) => open.close(),
);

const onError = (error: unknown): never => {
  throw error;
};
const [one, other] = [randomUUID(), randomUUID()];
const queue = (queueName: string, organizationId = one) => ({ organizationId, queueName });

describe('a sender of wake-ups', () => {
  let observer: pg.Client;
  let payloads: string[];
  beforeEach(async () => {
    observer = new pg.Client({ connectionString: database.superuserUrl });
    await observer.connect();
    payloads = [];
    observer.on('notification', ({ payload }) => payloads.push(payload!));
    await observer.query(`LISTEN ${wakeupChannel}`);
  });
  afterEach(() => observer.end());

  /** What was sent until now; notifications arrive in the order of their commits. */
  async function received(): Promise<unknown[]> {
    const mark = JSON.stringify(randomUUID());
    await superuser.query('SELECT pg_notify($1, $2)', [wakeupChannel, mark]);
    await eventually(() => expect(payloads).toContain(mark));
    return payloads
      .splice(0)
      .slice(0, -1)
      .map((payload): unknown => JSON.parse(payload));
  }
  /** A sender whose transactions are counted. */
  function openSender(clock: ManualClock) {
    const transactions = { ended: 0 };
    const inBatch: Database['inBatch'] = (work) => db.open.inBatch(work).finally(() => transactions.ended++);
    const sender = new WakeupSender({ inBatch, installation } as Database, { onError, clock });
    const ended = (count: number) => eventually(() => expect(transactions.ended).toBe(count));
    return { sender, ended, transactions };
  }

  it('sends the first wake-up at once and the next ones together, each queue once', async () => {
    const clock = new ManualClock();
    const { sender, ended, transactions } = openSender(clock);
    sender.send([queue('a')]);
    await ended(1);
    for (const name of ['b', 'c', 'b']) sender.send([queue(name)]);
    sender.send([queue('b', other)]);
    await clock.advance(19);
    expect(await received()).toEqual([[one, 'a']]);
    await clock.advance(1);
    await ended(2);
    expect(await received()).toEqual([
      [one, 'b', 'c'],
      [other, 'b'],
    ]);
    sender.send([]);
    expect(transactions.ended).toBe(2);
    await sender.close();
  });

  it('sends what is pending when it closes, and nothing afterwards', async () => {
    const { sender, ended } = openSender(new ManualClock());
    sender.send([queue('a')]);
    await ended(1);
    sender.send([queue('b')]);
    await sender.close();
    sender.send([queue('c')]);
    expect(await received()).toEqual([
      [one, 'a'],
      [one, 'b'],
    ]);
  });

  it('splits what is longer than a notification may be', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `${'…'.repeat(80)}"${n}`);
    const { sender } = openSender(new ManualClock());
    sender.send(names.map((name) => queue(name)));
    await sender.close();
    const lists = (await received()) as string[][];
    expect(lists.length).toBeGreaterThan(9);
    expect(lists.flatMap(([organizationId, ...some]) => some.map((name) => [organizationId, name]))).toEqual(
      names.map((name) => [one, name]),
    );
  });

  it('sends few notifications in one transaction, and the others in the next', async () => {
    const { sender, transactions } = openSender(new ManualClock());
    sender.send(Array.from({ length: 100 }, () => queue('a', randomUUID())));
    await sender.close();
    expect([(await received()).length, transactions.ended]).toEqual([100, 2]);
  });

  it('reports what it could not send', async () => {
    const failure = new Error('no connection');
    const errors: unknown[] = [];
    const broken = { installation, inBatch: () => Promise.reject(failure) } as unknown as Database;
    const sender = new WakeupSender(broken, { onError: (error) => errors.push(error), clock: new ManualClock() });
    sender.send([queue('a')]);
    await sender.close();
    expect(errors).toEqual([failure]);
  });
});

describe('a listener for wake-ups', () => {
  const opened: WakeupListener[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((listener) => listener.close())));

  function listen(url = database.appUrl, clock?: ManualClock) {
    const states: WakeupListenerState[] = [];
    const applicationName = `wake-ups ${randomUUID()}`;
    const options = {
      url,
      applicationName,
      queryTimeoutMs: 20_000,
      clock,
      onChange: (state: WakeupListenerState) => states.push(state),
    };
    const listener = new WakeupListener(options);
    opened.push(listener);
    const woken: string[] = [];
    const on = (name: string, organizationId = one) =>
      listener.onWake(organizationId, name, () => woken.push(`${organizationId} ${name}`));
    const sessions = async () => {
      const sql = 'SELECT pid, usename AS login FROM pg_stat_activity WHERE application_name = $1';
      return (await superuser.query<{ pid: number; login: string }>(sql, [applicationName])).rows;
    };
    return {
      listener,
      states,
      woken,
      on,
      sessions,
      isListening: (times = 1) =>
        eventually(() => expect(states.filter(({ listening }) => listening)).toHaveLength(times)),
    };
  }
  const send = (payload: string) => superuser.query('SELECT pg_notify($1, $2)', [wakeupChannel, payload]);

  it('opens its connection for the first subscription, and wakes those of a queue until they end', async () => {
    const { woken, on, sessions, isListening } = listen();
    expect(await sessions()).toEqual([]);
    const end = on('a');
    for (const [name, organizationId] of [['b'], ['a', other]] as const) on(name, organizationId);
    await isListening();
    expect(await sessions()).toHaveLength(1);
    await send(JSON.stringify([one, 'a', 'c']));
    await eventually(() => expect(woken.splice(0)).toEqual([`${one} a`]));
    end();
    await send(JSON.stringify([one, 'a', 'b']));
    await eventually(() => expect(woken).toEqual([`${one} b`]));
  });

  it('ignores what is not a wake-up', async () => {
    const { woken, on, isListening } = listen();
    on('a');
    await isListening();
    for (const text of ['', 'a', '{"a":1}', 'null', '[]', '[1,"a"]', '["x","a"]', JSON.stringify([one, 1, null])]) {
      await send(text);
    }
    await send(JSON.stringify([one, 'a']));
    await eventually(() => expect(woken).toEqual([`${one} a`]));
  });

  it('connects again when its connection was lost, and wakes nobody by that', async () => {
    const { states, woken, on, sessions, isListening } = listen();
    on('a');
    await isListening();
    await superuser.query('SELECT pg_terminate_backend($1)', [(await sessions())[0]!.pid]);
    await isListening(2);
    expect(states).toMatchObject([
      { listening: true },
      { listening: false, error: expect.anything() },
      { listening: true },
    ]);
    expect(woken).toEqual([]);
    await send(JSON.stringify([one, 'a']));
    await eventually(() => expect(woken).toEqual([`${one} a`]));
  });

  it('says once that PostgreSQL does not answer, and tries again less and less often', async () => {
    const clock = new ManualClock();
    const { listener, states, on } = listen(database.appUrl.replace(/:\d+\//, ':1/'), clock);
    on('a');
    for (const ms of [500, 1_000, 2_000]) {
      await eventually(() => expect(clock.timers).toEqual([ms]));
      await clock.advance(ms);
    }
    await listener.close();
    expect(states).toMatchObject([{ listening: false, error: { code: 'ECONNREFUSED' } }]);
    clock.assertIdle();
  });

  it('does not listen behind PgBouncer, whose sessions are shared', async () => {
    const pooler = await startPgBouncer(database);
    try {
      const { states, on } = listen(pooler.through(database.appUrl));
      on('a');
      await eventually(() => expect(states).toEqual([{ listening: false, pooled: true }]));
      const sql = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen%'`;
      expect((await superuser.query(sql)).rows).toEqual([]);
    } finally {
      await pooler.stop();
    }
  });
});
