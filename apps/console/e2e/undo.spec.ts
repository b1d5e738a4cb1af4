import { actOnMatching } from './setup/act-on-matching.js';
import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, signIn, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';

async function enqueue({ client }: Organization, count: number): Promise<void> {
  await client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: count }, () => ({ payload: {} })) });
}

test('a cancellation of many jobs is undone with a key before it begins', async ({
  page,
  open,
  organization,
  problems,
}) => {
  await enqueue(organization, 30);
  const { client } = organization;
  await open('/jobs?queue=emails');
  await actOnMatching(page, 'Cancel…');
  const dialog = page.getByRole('dialog', { name: 'Cancel jobs of emails' });
  await dialog.getByRole('textbox', { name: 'Type "emails" to confirm' }).fill('emails');
  await dialog.getByRole('button', { name: 'Cancel 30 jobs' }).click();
  await expect(dialog).toBeHidden();
  const bar = page.getByRole('region', { name: 'Actions that can be undone' });
  await expect(bar).toContainText('30 jobs of emails will be cancelled in 10 seconds. Press U to undo.');
  await expect(bar).toContainText(/will be cancelled in [1-9] s/);
  await expect(bar.locator('[aria-live=polite]')).toHaveText(/^30 jobs of emails will be cancelled in 10 seconds/);
  await capture(page, 'undo', { fullPage: false });
  await page.keyboard.press('u');
  await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
  await expect(bar.getByRole('button')).toHaveCount(0);
  const [operation] = await client.operations.list();
  expect(operation).toMatchObject({ kind: 'job.cancel', state: 'cancelled', processed: 0, startedAt: null });
  expect((await client.jobs.stats('emails')).pending).toBe(30);
  expect(problems).toEqual([]);
});

test('a held operation says so on its screen, where it is undone as well', async ({
  page,
  open,
  organization,
  problems,
}) => {
  await enqueue(organization, 3);
  const { client } = organization;
  await runJobs(client, 'emails', 3, () => ({ error: 'broken' }));
  const { id, state } = await client.jobs.deadLetters.purgeAll({ all: true, holdSeconds: 600 });
  expect(state).toBe('held');
  await open('/operations?state=held');
  const row = page.getByRole('table', { name: 'Operations' }).getByRole('row').nth(1);
  await expect(row).toContainText('Held');
  await row.getByRole('link', { name: 'Purge dead letters' }).click();
  await expect(page.getByText(/^It begins in 9 min \d+ s$/)).toBeVisible();
  await expect(page.getByText('3 jobs matched when it was requested.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel operation…' })).toHaveCount(0);
  await expectAccessible(page);
  await capture(page, 'operation-held');
  await expectFitsNarrowWindow(page);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Cancelled before it began: nothing was changed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect((await client.operations.get(id)).state).toBe('cancelled');
  expect((await client.jobs.stats()).deadletter).toBe(3);
  expect(problems).toEqual([]);
});

test('a viewer sees that an operation is held, and cannot undo it', async ({ page, stack, organization }) => {
  const { client } = organization;
  const { id } = await client.jobs.deadLetters.purgeAll({ all: true, holdSeconds: 600 });
  const { key } = await client.apiKeys.create({ name: 'On call', role: 'viewer' });
  await signIn(page, stack.baseUrl, { api_key: key });
  await page.goto(`${stack.baseUrl}/console/operations/${id}`);
  await expect(page.getByRole('button', { name: /^Undo.*the role viewer may only look/ })).toBeDisabled();
});
