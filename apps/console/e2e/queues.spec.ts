import { expect, test } from './setup/fixtures.js';
import { expectAccessible } from './setup/accessibility.js';
import { capture } from './setup/screenshots.js';

test('the table of queues says which ones stand still and why', async ({ page, open, organization, problems }) => {
  const { client } = organization;
  await client.jobs.create({ queueName: 'emails', payload: { to: 'a@example.com' } });
  await client.jobs.create({ queueName: 'reports', payload: {} });
  await client.queues.pause('reports', 'Printer is on fire');
  await open('/queues');
  const table = page.getByRole('table', { name: 'Queues' });
  const row = (name: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await expect(row('emails')).toContainText('No workers');
  await expect(row('reports')).toContainText('Paused');
  await expectAccessible(page);
  await capture(page, 'queues');
  await page.getByRole('searchbox', { name: 'Name contains' }).fill('REP');
  await expect(row('emails')).toHaveCount(0);
  await expect(row('reports')).toBeVisible();
  expect(new URL(page.url()).search).toBe('?name=REP');
  expect(problems).toEqual([]);
});
