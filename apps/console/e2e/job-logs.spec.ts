import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';

test('the log of a job grows while it runs, hides secrets, and says what was not kept', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  const { id } = await client.jobs.create({ queueName: 'orders', payload: {}, maxRetries: 3 });
  const claim = async () => (await client.jobs.claim({ queueName: 'orders', workerId: 'w1', limit: 1 }))[0]!;
  const report = (number: number, message: string, more: object = {}) =>
    client.jobs.reportLogs(id, { workerId: 'w1', lines: [{ number, message, ...more }] });
  await claim();
  await report(1, 'released soon');
  await client.jobs.release(id, { workerId: 'w1' });
  await claim();
  await report(1, 'charging', { fields: { amount: 12, card_token: 'tok_1' } });
  await open(`/jobs/${id}`);
  const log = page.getByRole('region', { name: 'Log', exact: true });
  await expect(log.getByText('charging')).toContainText('{"amount":12,"card_token":"[hidden]"}');
  await expect(log.getByText('released soon')).toBeHidden();
  await expectAccessible(page, log);
  await report(14, '<b>declined</b>', { level: 'error' });
  await expect(log.getByText('<b>declined</b>')).toBeVisible();
  await expect(log).toContainText('12 lines were not kept');
  await log.getByText('Attempt 1: 1 line', { exact: true }).click();
  await expect(log.getByText('released soon')).toBeVisible();
  expect(problems).toEqual([]);
});
