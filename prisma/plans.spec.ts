import {
  claim,
  command,
  countReads,
  createTestDatabase,
  enqueue,
  newJob,
  openConnections,
  type TestDatabase,
} from '@spooled/testing';
import { type Database } from '@spooled/data-access';
import type { Command, CommandKind, CommandOf, CommandResult } from '@spooled/contracts';
import { JobEngine } from '@spooled/queue';
import pg from 'pg';

const jobsLater = 6_000;
const batch = 100;

/**
 * PL/pgSQL caches plans for the lifetime of a session. Those of the hot functions must read no more than their own rows
 * when the tables, empty at the time of planning, have grown; an early version read 15,000 rows for each job.
 */
describe('plans cached while the tables were empty', () => {
  let database: TestDatabase;
  let db: Database;
  let engine: JobEngine;
  let superuser: pg.Client;
  let org: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser.query<{ id: string }>(
      `INSERT INTO organizations (name, slug) VALUES ('Test', 'plans') RETURNING id`,
    );
    org = rows[0]!.id;
    // One connection, so that every statement uses the cached plans.
    db = openConnections(database, { maxConnections: 1, minConnections: 1 });
    engine = new JobEngine(db, { onEffects: () => undefined });
  });
  afterAll(async () => {
    await db.close();
    await superuser.end();
    await database.drop();
  });

  async function run<K extends CommandKind>(one: CommandOf<K>): Promise<CommandResult<K>> {
    const [outcome] = await engine.execute([one as Command]);
    if (!outcome!.ok) throw new Error(outcome!.error.message);
    return outcome!.value as CommandResult<K>;
  }

  /** Number of rows that the statements of `work` read from tables and indexes. */
  async function rowsRead(work: () => Promise<unknown>): Promise<number> {
    const before = await counted();
    await work();
    return (await counted()) - before;
  }

  /** Cumulative number of rows read. */
  async function counted(): Promise<number> {
    const { fetched, sequential } = await countReads(db, superuser);
    return fetched + sequential;
  }

  const proof = (jobId: string) => ({ jobId, workerId: 'w1', leaseId: null, queues: null });
  const moves = {
    complete: (ids: string[]) => ids.map((id) => command('job.complete', org, { ...proof(id), result: null })),
    fail: (ids: string[]) =>
      ids.map((id, i) => command('job.fail', org, { ...proof(id), error: 'broken', retry: i % 2 === 0 })),
    renew: (ids: string[]) => ids.map((id) => command('job.renew', org, { ...proof(id), leaseSeconds: 60 })),
  };

  async function claimed(limit: number): Promise<string[]> {
    return (await run(claim(org, { limit, leaseSeconds: 600 }))).jobs.map(({ id }) => id);
  }

  it('BX-10 SP-21 read no more rows after the tables have grown', async () => {
    await run(enqueue(org, [newJob(), newJob()]));
    const [first, second] = await claimed(2);
    await engine.execute(moves.renew([first!]));
    await engine.execute(moves.complete([first!]));
    await engine.execute(moves.fail([second!]));

    for (let i = 0; i < jobsLater; i += 500)
      await run(
        enqueue(
          org,
          Array.from({ length: 500 }, () => newJob()),
        ),
      );
    const held: string[] = [];
    while (held.length < jobsLater / 2) held.push(...(await claimed(batch)));

    const next = () => held.splice(0, batch);
    const read = {
      enqueue: await rowsRead(() =>
        run(
          enqueue(
            org,
            Array.from({ length: batch }, () => newJob()),
          ),
        ),
      ),
      claim: await rowsRead(() => claimed(batch)),
      renew: await rowsRead(() => engine.execute(moves.renew(held.slice(0, batch)))),
      complete: await rowsRead(() => engine.execute(moves.complete(next()))),
      fail: await rowsRead(() => engine.execute(moves.fail(next()))),
    };
    // A few rows for each of the hundred jobs.
    for (const [what, rows] of Object.entries(read))
      expect([what, rows, rows < 10 * batch]).toEqual([what, rows, true]);
  });
});
