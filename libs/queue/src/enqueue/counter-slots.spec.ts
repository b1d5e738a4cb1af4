import { newJob } from '@spooled/testing';
import pg from 'pg';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

const sessions = 4;
const transactionsEach = 100;

/** Sessions whose process ids are equal modulo 16, which is where the search for a slot starts. */
async function collidingSessions(appUrl: string): Promise<pg.Client[]> {
  const bySlot = new Map<number, pg.Client[]>();
  const all: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: appUrl });
    await client.connect();
    all.push(client);
    const { rows } = await client.query<{ slot: number }>('SELECT pg_backend_pid() % 16 AS slot');
    const same = [...(bySlot.get(rows[0]!.slot) ?? []), client];
    bySlot.set(rows[0]!.slot, same);
    if (same.length < sessions) continue;
    await Promise.all(all.filter((one) => !same.includes(one)).map((one) => one.end()));
    return same;
  }
}

describe('counters of concurrent transactions', () => {
  let fixture: EngineFixture;
  let clients: pg.Client[];
  beforeAll(async () => {
    fixture = await EngineFixture.open();
    clients = await collidingSessions(fixture.database.appUrl);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await fixture.close();
  });

  const enqueueInto = (client: pg.Client, org: string, queueName: string) => {
    const { id, payload } = newJob();
    const job = { number: 0, id, queue: queueName, payload: JSON.parse(payload) as unknown, job_type: '', priority: 0 };
    const part = {
      organization: org,
      guarded: false,
      redelivered: false,
      keyed: false,
      parented: false,
      command: 0,
    };
    return client.query('SELECT enqueue_jobs_v1($1, $2, 3, 300)', [JSON.stringify([part]), JSON.stringify([[job]])]);
  };
  const counted = (org: string) =>
    fixture.sql(
      `SELECT (SELECT sum(created)::int FROM job_stats WHERE organization_id = $1) AS stats,
         (SELECT sum(jobs_created)::int FROM usage_counters WHERE organization_id = $1) AS usage`,
      [org],
    );

  it('never wait for each other, whatever the order of their queues', async () => {
    const org = await fixture.organization();
    const [one, other] = clients as [pg.Client, pg.Client];
    // The queues exist already, so that only counters are written twice.
    for (const queueName of ['a', 'b']) await enqueueInto(one, org, queueName);
    for (const client of [one, other]) await client.query(`BEGIN; SET LOCAL lock_timeout = 100`);
    try {
      await enqueueInto(one, org, 'a');
      await enqueueInto(other, org, 'b');
      await enqueueInto(one, org, 'b');
      await enqueueInto(other, org, 'a');
    } finally {
      for (const client of [one, other]) await client.query('COMMIT');
    }
    expect(await counted(org)).toEqual([{ stats: 6, usage: 6 }]);
  });

  it('have no deadlock in hundreds of transactions with organizations and queues in any order, and lose no count', async () => {
    const orgs = [await fixture.organization(), await fixture.organization(), await fixture.organization()];
    const targets = orgs.flatMap((org) => ['a', 'b'].map((queueName) => [org, queueName] as const));
    for (const target of targets) await enqueueInto(clients[0]!, ...target);
    const failures: unknown[] = [];
    const work = async (client: pg.Client, number: number) => {
      for (let i = 0; i < transactionsEach; i++) {
        const first = (i + number) % targets.length;
        const second = (first + 1 + (i % (targets.length - 1))) % targets.length;
        await client.query('BEGIN');
        try {
          await enqueueInto(client, ...targets[first]!);
          await enqueueInto(client, ...targets[second]!);
        } catch (error) {
          failures.push(error);
        } finally {
          await client.query('COMMIT');
        }
      }
    };
    await Promise.all(clients.map(work));
    expect(failures).toEqual([]);
    const counts = (await Promise.all(orgs.map(counted))).flat() as { stats: number; usage: number }[];
    const jobs = targets.length + sessions * transactionsEach * 2;
    expect(counts.reduce((sum, { stats }) => sum + stats, 0)).toBe(jobs);
    expect(counts.reduce((sum, { usage }) => sum + usage, 0)).toBe(jobs);
  });

  it('have a slot of their own while they last: one of the first 16, and then the next ones', async () => {
    const sessions = Array.from({ length: 18 }, () => new pg.Client({ connectionString: fixture.database.appUrl }));
    await Promise.all(sessions.map((session) => session.connect()));
    const take = async (session: pg.Client) => {
      await session.query('BEGIN');
      const { rows } = await session.query<{ slot: number; again: number }>(
        'SELECT counter_slot() AS slot, counter_slot() AS again',
      );
      expect(rows[0]!.again).toBe(rows[0]!.slot);
      return rows[0]!.slot;
    };
    try {
      const slots: number[] = [];
      for (const session of sessions) slots.push(await take(session));
      expect(slots.slice(0, 16).sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, slot) => slot));
      expect(slots.slice(16)).toEqual([16, 17]);
      await sessions[3]!.query('COMMIT');
      const { rows } = await sessions[3]!.query(`SELECT current_setting('app.counter_slot', true) AS slot`);
      expect(rows).toEqual([{ slot: '' }]);
      await sessions[17]!.query('COMMIT');
      expect(await take(sessions[17]!)).toBe(slots[3]);
    } finally {
      await Promise.all(sessions.map((session) => session.end()));
    }
  });
});
