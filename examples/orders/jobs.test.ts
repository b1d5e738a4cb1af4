import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import pg from 'pg';
import { testSpooled } from 'spooled-embedded/testing';
import { confirm, outside } from './jobs.ts';
import { createOrder, table } from './route.ts';

const url = process.env.TEST_DATABASE_URL!;

test('confirms each order that was stored, and stores none whose job is refused', async () => {
  await using spooled = await testSpooled(url, { jobs: [confirm] });
  const pool = new pg.Pool({ connectionString: spooled.url });
  const mail = mock.method(outside, 'mail', async () => undefined);
  const POST = createOrder(pool);
  const post = async (body: object) =>
    POST(new Request('http://localhost/api/orders', { method: 'POST', body: JSON.stringify(body) }));
  try {
    await pool.query(table);
    const stored = await post({ item: 'tea', email: 'ada@example.com' });
    assert.deepEqual([stored.status, await stored.json()], [201, { order: '1' }]);
    const refused = await post({ item: 'tea', email: 'ada' });
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { error: string }).error, /email/);
    assert.equal((await post({ email: 'ada@example.com' })).status, 400);
    const { rows } = await pool.query<{ email: string }>('SELECT email FROM orders');
    assert.deepEqual(rows, [{ email: 'ada@example.com' }]);
    await spooled.drain();
    await spooled.assertCompleted(confirm, { payload: { order: '1' }, times: 1 });
    assert.equal(mail.mock.callCount(), 1);
  } finally {
    await pool.end();
    mail.mock.restore();
  }
});
