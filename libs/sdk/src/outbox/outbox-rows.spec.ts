import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { Outbox } from './outbox.js';
import { statementsFor } from './statements.js';

const refusedRows = 5_000;
const values = ['500', '30000', '0190f3a0-0000-7000-8000-000000000000', '8388608'];

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

describe('a relay that looks for due rows', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
    pool = new pg.Pool({ connectionString: database.ownerUrl });
    // A session may outlive `end`, and the drop of the database terminates it.
    pool.on('error', () => undefined);
    await new Outbox(pool).migrate();
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  it.each(['before', 'after'])('does not read refused ones, %s their table is analyzed', async (moment) => {
    await pool.query(
      `TRUNCATE spooled_outbox;
       INSERT INTO spooled_outbox (id, ordering_key, queue_name, job, due_at, refused_at)
       SELECT gen_random_uuid(), i::text, 'q', '{"payload":1}', 'infinity', now() FROM generate_series(1, ${refusedRows}) AS i`,
    );
    if (moment === 'after') await pool.query('ANALYZE spooled_outbox');
    const explained = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statementsFor('spooled_outbox').take}`,
      values,
    );
    const plan = explained.rows[0]!['QUERY PLAN'][0]!.Plan;
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(10);
  });
});
