import { actOnMatching } from './setup/act-on-matching.js';
import { expectAccessible } from './setup/accessibility.js';
import { expect, fromNow, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';
import { endHold } from './setup/sql.js';
import { confirmTyped } from './setup/typed-act.js';

async function enqueue({ client }: Organization, count: number): Promise<void> {
  await client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: count }, () => ({ payload: {} })) });
}

test('a cancellation of many jobs is undone with a key before it begins, in the time that its answer has left', async ({
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
  await confirmTyped(dialog, 'emails', 'Cancel 30 jobs');
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

  await page.route('**/api/v1/jobs/cancellations', async (route) => {
    const response = await route.fetch();
    const found = (await response.json()) as object;
    const isPreview = !('starts_at' in found);
    await route.fulfill({
      response,
      json: isPreview ? found : { ...found, starts_at: fromNow(7_000).toISOString() },
    });
  });
  // All that the bar shows.
  await page.evaluate(`
    globalThis.shown = [];
    new MutationObserver(() => {
      const found = /will be cancelled in (\\d+) s\\b/.exec(document.body.innerText);
      if (found) shown.push(Number(found[1]));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  await actOnMatching(page, 'Cancel…');
  await confirmTyped(dialog, 'emails', 'Cancel 30 jobs');
  await expect.poll(() => page.evaluate('shown.length > 0')).toBe(true);
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  // The browser knows the server's time to two seconds.
  expect(await page.evaluate('Math.max(...shown)')).toBeLessThanOrEqual(9);
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

test('an undo that comes after the begin says what stays changed, and one after another undo that nothing was', async ({
  page,
  open,
  organization,
  problems,
}) => {
  await enqueue(organization, 100);
  const { client } = organization;
  const begun = await client.operations.cancelJobs({ queueName: 'emails', perSecond: 1 });
  await open(`/operations/${begun.id}`);
  await expect(page.getByText(/^[1-9]\d* of 100 jobs$/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel operation…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this operation' });
  await expect(dialog).toContainText(/What it has changed by then stays changed, now [1-9]\d* jobs/);
  await dialog.getByRole('button', { name: 'Cancel the operation' }).click();
  await expect(dialog).toBeHidden();
  const { cancelled, pending } = await client.jobs.stats('emails');
  expect(cancelled + pending).toBe(100);
  const reason = `Cancelled after it began: what it had changed stays changed (jobs: ${cancelled})`;
  const notice = page.getByRole('main').filter({ hasText: reason });
  await expect(notice).toContainText(`The other ${pending} jobs were not touched.`);
  const changed = page.getByRole('table', { name: 'Jobs that it has changed' });
  await expect(changed.getByRole('link')).toHaveCount(cancelled);
  await changed.getByRole('link').last().click();
  await expect(page.getByText(/^The job is cancelled since/)).toBeVisible();
  await page.goBack();
  await expectAccessible(page, page.getByText(reason).first(), changed);
  await expectFitsNarrowWindow(page);

  // Another person is quicker.
  const held = await client.jobs.deadLetters.purgeAll({ all: true, holdSeconds: 600 });
  await open(`/operations/${held.id}`);
  const button = page.getByRole('button', { name: 'Undo' });
  await expect(button).toBeVisible();
  await page.route('**/api/v1/operations/*', (route) => route.abort());
  await client.operations.cancel(held.id);
  await button.click();
  await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
  expect(problems.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});

test('an operation that found fewer jobs than matched says so', async ({ page, open, organization, stack }) => {
  await enqueue(organization, 3);
  const { client } = organization;
  const { id } = await client.operations.cancelJobs({ queueName: 'emails', holdSeconds: 600 });
  await runJobs(client, 'emails', 2, () => ({ result: 'sent' }));
  await endHold(stack, organization.id);
  await client.operations.finished(id);
  await open(`/operations/${id}`);
  await expect(page.getByText('1 of 3 jobs')).toBeVisible();
  await expect(page.getByText('2 of the jobs that matched at the request were left alone')).toBeVisible();
});
