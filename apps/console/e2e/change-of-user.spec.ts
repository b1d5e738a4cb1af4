import { expect, signIn, test } from './setup/fixtures.js';

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
  await page.getByLabel('API key', { exact: true }).fill(other.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Queues', exact: true }).click();
  await expect(page.getByRole('link', { name: 'harmless' })).toBeVisible();
  await expect(page.getByText('secret-project')).toHaveCount(0);
  await signIn(page, stack.baseUrl, { api_key: other.key });
  await page.goto(`${stack.baseUrl}/console/queues/secret-project`);
  await expect(page.getByText('This could not be loaded').first()).toBeVisible();
});
