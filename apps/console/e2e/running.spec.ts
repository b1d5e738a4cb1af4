import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';

test('BX-25 the jobs that run are listed, the longest first, with worker, attempt and progress', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  await client.workers.register({ queueName: 'emails', hostname: 'worker-1', workerId: 'w1' });
  const { id: first } = await client.jobs.create({ queueName: 'emails', payload: { job_type: 'receipt' } });
  const { id: second } = await client.jobs.create({ queueName: 'reports', payload: {} });
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await client.jobs.claim({ queueName: 'emails', workerId: 'w1', limit: 1 });
  await client.jobs.claim({ queueName: 'reports', workerId: 'w2', limit: 1 });
  await client.jobs.progress(first, { workerId: 'w1', progress: 40, message: 'Half of the mails' });
  await open('/running');
  const rows = page.getByRole('table', { name: 'Running jobs' }).getByRole('row');
  await expect(page.getByText('2 in all')).toBeVisible();
  await expect(rows.nth(1)).toContainText(`…${first.slice(-8)}`);
  await expect(rows.nth(1)).toContainText('receipt');
  await expect(rows.nth(1).getByRole('link', { name: 'worker-1' })).toBeVisible();
  await expect(rows.nth(1)).toContainText('1 of 4');
  await expect(rows.nth(1)).toContainText('40 % Half of the mails');
  await expect(rows.nth(2)).toContainText('w2');
  await expectAccessible(page);
  await page.getByRole('columnheader', { name: 'Queue' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Queue' }).getByRole('button').click();
  await expect(rows.nth(1)).toContainText('reports');
  const search = page.getByRole('combobox', { name: 'Search', exact: true });
  await search.fill('worker:w2');
  await search.press('Enter');
  await expect(page.getByText('1 in all')).toBeVisible();
  await expect(rows.nth(1)).toContainText(`…${second.slice(-8)}`);
  await page.reload();
  await expect(search).toHaveValue('worker:w2');
  await expect(rows).toHaveCount(2);
  await search.fill('worker:w3');
  await search.press('Enter');
  await expect(page.getByText('No running job matches')).toBeVisible();
  await search.fill('');
  await search.press('Enter');
  await page.getByRole('searchbox', { name: 'Queue' }).fill('emails');
  await expect(page.getByText('1 in all')).toBeVisible();
  await client.jobs.complete(second, { workerId: 'w2' });
  await client.jobs.complete(first, { workerId: 'w1' });
  await expect(page.getByText('No job runs')).toBeVisible();
  expect(problems).toEqual([]);
});
