import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { outside, report } from './jobs.ts';

const url = process.env.TEST_DATABASE_URL!;
afterEach(() => mock.restoreAll());

test('reports every night', async () => {
  await using spooled = await testSpooled(url, { jobs: [report] });
  mock.method(outside, 'mail', async () => undefined);
  await spooled.drain();
  await spooled.assertEnqueued(report, { times: 0 });
  await spooled.advance('1 day');
  await spooled.drain();
  await spooled.assertCompleted(report, { payload: { currency: 'EUR' }, times: 1 });
});

test('asks no shop twice when another one fails, and sends one mail', async () => {
  await using spooled = await testSpooled(url, { jobs: [report] });
  const asked: string[] = [];
  const mail = mock.method(outside, 'mail', async () => undefined);
  mock.method(outside, 'sales', async (shop: string) => {
    asked.push(shop);
    if (shop === 'Oslo' && asked.length < 4) throw new Error('Oslo is closed');
    return 7;
  });
  await report.enqueue({ currency: 'USD' });
  await spooled.drain();
  await spooled.assertCompleted(report, { times: 0 });
  await spooled.advance('5m');
  await spooled.drain();
  const [done] = await spooled.assertCompleted(report, { payload: { currency: 'USD' } });
  assert.deepEqual(asked, ['Berlin', 'Lima', 'Oslo', 'Oslo']);
  assert.deepEqual(done!.result.lines, ['Berlin: 7 USD', 'Lima: 7 USD', 'Oslo: 7 USD']);
  assert.equal(mail.mock.callCount(), 1);
});
