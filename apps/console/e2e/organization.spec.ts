import { expectAccessible } from './setup/accessibility.js';
import { expect, Spooled, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { capture } from './setup/screenshots.js';
import { confirmTyped } from './setup/typed-act.js';

test('the organization shows its settings, and the token of inbound webhooks only when asked', async ({
  page,
  open,
  organization: { client, id },
  problems,
}) => {
  const { token } = await client.organizations.webhookToken();
  await open('/organization');
  await expect(page.getByText(id)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Owner');
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: 'Show address and token' }).click();
  await expect(page.getByText(token)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New token…' }).click();
  await confirmTyped(page, 'replace', 'Replace the token');
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: 'Change…', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme Ltd');
  await page.getByRole('textbox', { name: 'Settings (JSON)' }).fill('{"team": "mail"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText('Acme Ltd');
  expect((await client.organizations.get(id)).settings).toMatchObject({ team: 'mail' });
  expect(problems).toEqual([]);
});

test('usage shows what is left of the plan, and what happens at a limit that is reached', async ({
  page,
  open,
  stack,
  organization: { client, id },
  problems,
}) => {
  const { admin } = new Spooled({ baseUrl: stack.baseUrl, adminKey: stack.adminKey });
  await admin.updateOrganization(id, { customLimits: { max_queues: 2, max_active_jobs: 10 } });
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await client.jobs.create({ queueName: 'reports', payload: {} });
  await open('/usage');
  const row = (name: string) => page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: name });
  await expect(row('Queues')).toContainText('Limit reached');
  await expect(row('Queues').getByRole('meter', { name: 'Queues' })).toHaveAttribute('aria-valuenow', '2');
  await expect(row('Active jobs')).toContainText('Within limit');
  await expect(row('Active jobs')).toContainText('20 %');
  await expect(row('Workers')).toContainText('No limit');
  await expect(page.getByText('at most 1 MiB')).toBeVisible();
  await expectAccessible(page);
  await capture(page, 'usage');
  await expectFitsNarrowWindow(page);
  expect(problems).toEqual([]);
});

test('the audit log says who changed what, from which value to which, and filters by the address', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  await client.queues.configure('emails', { maxRetries: 3 });
  await client.queues.configure('emails', { maxRetries: 7 });
  const { id } = await client.apiKeys.create({ name: 'On call', role: 'viewer' });
  await open('/audit');
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Created an API key');
  await expect(rows.nth(1)).toContainText('Key Initial Admin Key');
  await expectAccessible(page);
  await capture(page, 'audit');
  await expectFitsNarrowWindow(page);
  await page.getByRole('searchbox', { name: 'Kind of target' }).fill('queue');
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'emails' })).toHaveCount(2);
  await expect.poll(() => new URL(page.url()).search).toBe('?targetKind=queue');
  await rows.nth(1).getByRole('button', { name: 'Changed the settings of a queue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed the settings of a queue' });
  await expect(dialog).toContainText('queue.updated');
  await expect(dialog.getByRole('group', { name: 'Before' })).toContainText('3');
  await expect(dialog.getByRole('group', { name: 'After' })).toContainText('7');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await page.getByRole('searchbox', { name: 'Target', exact: true }).fill(id);
  await expect(rows).toHaveCount(2);
  expect(problems).toEqual([]);
});
