import { type PausableDatabase, type Stack, startPausableDatabase, startStack } from '@spooled/testing';
import pg from 'pg';
import { Load } from './load.js';

/** PostgreSQL with the settings of production: commits are flushed before they are acknowledged. */
describe('a crash of PostgreSQL under load', () => {
  let database: PausableDatabase;
  let stack: Stack;

  beforeAll(async () => {
    database = await startPausableDatabase({ durable: true });
    stack = await startStack({ database });
    // Rate limits are tested in another spec.
    await query(
      `UPDATE organizations SET custom_limits = '{"rate_limit_requests_per_second": 100000, "rate_limit_burst": 100000}'`,
    );
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
    await database?.drop();
  });

  async function query<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  it('SP-58 MQ-02 loses no acknowledged job and no acknowledged completion', async () => {
    const settings = await query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`,
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
    const load = new Load(stack);
    await load.finished(100);
    const [acknowledged, completed] = [[...load.acknowledged.values()], [...load.completed.keys()]];
    await database.crashAndRestart();
    const jobs = await query<{ id: string; status: string }>(
      'SELECT id, status FROM job_records WHERE id = ANY ($1::uuid[])',
      [acknowledged],
    );
    const statuses = new Map(jobs.map(({ id, status }) => [id, status]));
    expect(acknowledged.filter((id) => !statuses.has(id))).toEqual([]);
    expect(completed.filter((id) => statuses.get(id) !== 'completed')).toEqual([]);

    await load.finished(50);
    await load.settle();
    expect(load.open()).toEqual([]);
    expect([...load.completed.values()].filter((times) => times > 1)).toEqual([]);
  }, 120_000);
});
