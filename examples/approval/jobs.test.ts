import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { bank, payout } from './jobs.ts';

const url = process.env.TEST_DATABASE_URL!;

test('pays once when somebody approves', async () => {
  await using spooled = await testSpooled(url, { jobs: [payout] });
  const transfer = mock.method(bank, 'transfer');
  const { id } = await payout.enqueue({ account: 'DE1', amount: 5 });
  await spooled.drain();
  await spooled.assertCompleted(payout, { times: 0 });
  await payout.signal(id, 'decision', { approved: true, by: 'Ada' });
  await spooled.drain();
  await spooled.assertCompleted(payout, { result: { receipt: 'transfer of 5 to DE1', by: 'Ada' } });
  assert.equal(transfer.mock.callCount(), 1);
});

test('pays nothing when nobody has decided after three days', async () => {
  await using spooled = await testSpooled(url, { jobs: [payout] });
  await payout.enqueue({ account: 'DE1', amount: 5 });
  await spooled.drain();
  await spooled.advance('3 days');
  await spooled.drain();
  await spooled.assertCompleted(payout, { result: { receipt: null, by: 'nobody' }, times: 1 });
});
