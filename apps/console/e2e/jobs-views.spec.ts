import { expectAccessible } from './setup/accessibility.js';
import { expect, replaceSession, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';

test('a view with filters and columns is saved, found again, shared by its link, renamed, replaced and deleted', async ({
  page,
  open,
  organization: { client, key },
  newOrganization,
  stack,
  problems,
}) => {
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await client.jobs.create({ queueName: 'reports', payload: {} });
  await open('/jobs?queue=emails');
  const table = page.getByRole('table', { name: 'Jobs', exact: true });
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('menu', { name: 'Columns' });
  await menu.getByRole('menuitemcheckbox', { name: 'Last error' }).click();
  await menu.getByRole('menuitemcheckbox', { name: 'Started' }).click();
  await expectAccessible(page, menu);
  await page.keyboard.press('Escape');
  await expect(table.getByRole('columnheader', { name: 'Last error' })).toHaveCount(0);
  await expect(table.getByRole('columnheader', { name: 'Started' })).toBeVisible();

  await page.getByRole('button', { name: 'Save view…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Views are kept in this browser');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mail <b>today</b>');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const views = page.getByRole('navigation', { name: 'Saved views' });
  const link = page.url();

  await views.getByRole('link', { name: 'All jobs' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('columnheader', { name: 'Last error' })).toBeVisible();
  await page.reload();
  await views.getByRole('link', { name: 'Mail <b>today</b>' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('columnheader', { name: 'Started' })).toBeVisible();
  await expect.poll(() => page.url()).toBe(link);
  await capture(page, 'jobs');
  await expectFitsNarrowWindow(page);

  await page.getByRole('button', { name: 'Rename view…' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mail');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(views.getByRole('link')).toHaveText(['All jobs', 'Mail']);

  const openAs = async (apiKey: string) => {
    await replaceSession(page, stack.baseUrl, { api_key: apiKey });
    await page.goto(link);
  };
  // Somebody else with the link sees the same filters and columns, and no name of this organization's views.
  const other = await newOrganization();
  await other.client.jobs.create({ queueName: 'emails', payload: {} });
  await openAs(other.key);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('columnheader', { name: 'Started' })).toBeVisible();
  await expect(views.getByRole('link')).toHaveText(['All jobs']);

  await openAs(key);
  await expect(views.getByRole('link')).toHaveText(['All jobs', 'Mail']);

  await page.getByRole('searchbox', { name: 'Queue', exact: true }).fill('mails');
  await expect(page).toHaveURL(/queue=mails/);
  await page.getByRole('button', { name: 'Save view…' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mail');
  await dialog.getByRole('button', { name: 'Replace the view' }).click();
  await expect(dialog).toBeHidden();
  await expect(views.getByRole('link')).toHaveText(['All jobs', 'Mail']);
  await page.getByRole('button', { name: 'Delete view…' }).click();
  await dialog.getByRole('button', { name: 'Delete the view' }).click();
  await expect(views.getByRole('link')).toHaveText(['All jobs']);
  await page.reload();
  await expect(views.getByRole('link')).toHaveText(['All jobs']);
  expect(problems).toEqual([]);
});

test('the live tail follows what happens to the jobs that match, and is paused', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  await open('/jobs?queue=emails&follow=events');
  await expect(page.getByText('Nothing has happened yet')).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  let requests = 0;
  page.on('request', (request) => (requests += request.url().includes('/api/v1/jobs?') ? 1 : 0));
  await client.jobs.create({ queueName: 'reports', payload: {} });
  const { id } = await client.jobs.create({ queueName: 'emails', payload: {} });
  const rows = page.getByRole('table', { name: 'Live tail' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Created' })).toContainText('emails');
  await runJobs(client, 'emails', 1, () => ({ error: 'Error: no such mailbox' }));
  await expect(rows.filter({ hasText: 'Attempt failed' })).toContainText('Error: no such mailbox');
  await expect(rows.filter({ hasText: 'Became a dead letter' })).toBeVisible();
  await expect(rows.filter({ hasText: 'reports' })).toHaveCount(0);
  await expectAccessible(page);
  await capture(page, 'live-tail');
  await expectFitsNarrowWindow(page);

  await page.getByRole('button', { name: 'Pause' }).click();
  const shown = await rows.count();
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await expect(page.getByText('Paused, 1 since')).toBeVisible();
  await expect(rows).toHaveCount(shown);
  await page.getByRole('button', { name: 'Continue' }).click();
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await expect(rows).toHaveCount(shown + 1);
  expect(requests).toBe(0);
  await rows.filter({ hasText: 'Attempt failed' }).getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
  expect(problems).toEqual([]);
});
