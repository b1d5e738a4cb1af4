import { actOnMatching } from './setup/act-on-matching.js';
import { expect, signIn, test } from './setup/fixtures.js';
import { typeToConfirm } from './setup/typed-act.js';

test('nothing of one organization is left when a key of another one signs in', async ({
  page,
  open,
  organization,
  stack,
  newOrganization,
}) => {
  await organization.client.jobs.create({ queueName: 'secret-project', payload: {} });
  const other = await newOrganization();
  await other.client.jobs.create({ queueName: 'harmless', payload: {} });
  await open('/queues');
  await expect(page.getByRole('link', { name: 'secret-project' })).toBeVisible();
  await page.getByRole('button', { name: /^Signed in/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Spooled' })).toBeVisible();
  expect((await page.request.get(`${stack.baseUrl}/api/v1/queues`)).status()).toBe(401);
  await page.getByLabel('API key', { exact: true }).fill(other.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Queues', exact: true }).click();
  await expect(page.getByRole('link', { name: 'harmless' })).toBeVisible();
  await expect(page.getByText('secret-project')).toHaveCount(0);
  await signIn(page, stack.baseUrl, { api_key: other.key });
  await page.goto(`${stack.baseUrl}/console/queues/secret-project`);
  await expect(page.getByText('This could not be loaded').first()).toBeVisible();
});

test('acts that can be undone are not shown to the next user of a page', async ({
  page,
  open,
  organization: { client },
  newOrganization,
}) => {
  const other = await newOrganization();
  await client.jobs.create({ queueName: 'secret-project', payload: {} });
  await open('/queues/secret-project');
  await page.getByRole('button', { name: 'Drain…' }).click();
  await typeToConfirm(page.getByRole('dialog'), 'secret-project');
  await page.getByRole('button', { name: 'Cancel 1 job' }).click();
  await page.getByRole('link', { name: 'Limits and usage' }).click();
  const undo = page.getByRole('region', { name: 'Actions that can be undone' });
  await expect(undo.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByRole('button', { name: /^Signed in/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('API key', { exact: true }).fill(other.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText(other.name);
  await expect(undo).toBeAttached();
  // At once: some seconds later the act cannot be undone any more.
  expect(await page.getByText('secret-project').count()).toBe(0);
});

test('a page does nothing in an organization that another tab has signed in to, and shows that one next', async ({
  page,
  open,
  organization,
  stack,
  newOrganization,
}) => {
  const other = await newOrganization();
  for (const { client } of [organization, other]) await client.jobs.create({ queueName: 'emails', payload: {} });
  await open('/jobs?queue=emails');
  await actOnMatching(page, 'Cancel…');
  const dialog = page.getByRole('dialog', { name: 'Cancel jobs of emails' });
  await typeToConfirm(dialog, 'emails');
  // Reads wait, else one may find the other session first and leave the dialog.
  const reads = Promise.withResolvers<void>();
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().method() === 'GET') await reads.promise;
    await route.continue();
  });
  // The tabs of a browser share its cookies.
  await signIn(page, stack.baseUrl, { api_key: other.key });
  const acted = page.waitForResponse((response) => response.request().method() !== 'GET');
  await dialog.getByRole('button', { name: 'Cancel 1 job' }).click();
  await acted;
  reads.resolve();
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await expect(menu).toContainText(other.name);
  await expect(page.getByText('Another sign-in has replaced the session of this browser')).toBeVisible();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/console/');
  for (const { client } of [organization, other]) expect(await client.operations.list()).toEqual([]);

  // Also without an act, and within one organization, where the page stays.
  await page.goto(`${stack.baseUrl}/console/queues/emails`);
  await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
  const { key } = await other.client.apiKeys.create({ name: 'On call', role: 'viewer' });
  await signIn(page, stack.baseUrl, { api_key: key });
  await expect(page.getByRole('button', { name: /Signed in: On call/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
});
