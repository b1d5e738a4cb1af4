import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';
import { confirmTyped } from './setup/typed-act.js';

const payloads = (count: number) => Array.from({ length: count }, (_, number) => ({ payload: { number } }));

/** An open batch of twelve jobs, of which six succeeded, two are dead letters and four wait. */
async function seed({ client }: Organization): Promise<string> {
  const { id } = await client.batches.create({
    name: 'Invoices of March',
    metadata: { month: '2026-03' },
    onSuccess: { queueName: 'reports', payload: { sum: true } },
    onComplete: { queueName: 'reports', payload: {} },
    onDeath: { queueName: 'alerts', payload: {} },
  });
  await client.batches.add(id, { queueName: 'invoices', jobs: payloads(12) });
  await runJobs(client, 'invoices', 8, ({ number }) =>
    Number(number) % 4 === 3 ? { error: `Invoice ${String(number)} has no <b>address</b>` } : { result: { pages: 3 } },
  );
  return id;
}

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');

test('batches are listed by status; one shows its counts, callbacks, jobs and results, is closed and then complete', async ({
  page,
  open,
  organization,
  problems,
}) => {
  const { client } = organization;
  await open('/batches');
  await expect(page.getByText('There are no batches yet')).toBeVisible();
  const id = await seed(organization);
  const unnamed = await client.batches.create();
  await client.batches.close(unnamed.id);
  await expect(rowsOf(page, 'Batches')).toHaveCount(3);
  await expect(rowsOf(page, 'Batches').nth(1)).toContainText(`Batch …${unnamed.id.slice(-8)}`);
  await expectAccessible(page);
  await capture(page, 'batches');
  await page.getByLabel('Status').selectOption('Cancelled');
  await expect(page.getByText('No batch has this status')).toBeVisible();
  await page.getByLabel('Status').selectOption('Open');
  await expect(rowsOf(page, 'Batches')).toHaveCount(2);
  await expect.poll(() => new URL(page.url()).search).toBe('?status=open');
  await page.getByRole('link', { name: 'Invoices of March' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices of March');
  await expect(page.getByText('8 of 12')).toBeVisible();
  const callback = (name: string) =>
    page.getByRole('table', { name: 'Callbacks' }).getByRole('row', { name: new RegExp(`^${name} `) });
  await expect(callback('on_death')).toContainText('Pending');
  await expect(callback('on_success')).toContainText('Not created yet');
  await expect(page.getByRole('group', { name: 'Metadata' })).toContainText('2026-03');
  const jobs = rowsOf(page, 'Jobs of the batch');
  await expect(page.getByRole('table', { name: 'Jobs of the batch' })).toHaveAttribute('aria-rowcount', '13');
  await expect(jobs.nth(1)).toContainText('{"pages":3}');
  await expectAccessible(page);
  await expectFitsNarrowWindow(page);
  // Rows of long tables are drawn only in view.
  await page.setViewportSize({ width: 1280, height: 1700 });
  await capture(page, 'batch');
  await page.getByRole('region', { name: 'Counts' }).getByRole('link', { name: '2', exact: true }).click();
  await expect(jobs).toHaveCount(3);
  await expect(jobs.nth(1)).toContainText('Invoice 3 has no <b>address</b>');
  await expect.poll(() => new URL(page.url()).search).toBe('?jobs=failed');

  await page.getByRole('button', { name: 'Close batch…' }).click();
  await expect(page.getByRole('dialog')).toContainText('It completes when 4 jobs that have not ended do so');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close the batch' }).click();
  await expect(page.getByRole('button', { name: 'Close batch…' })).toHaveCount(0);
  expect((await client.batches.get(id)).status).toBe('closed');
  await runJobs(client, 'invoices', 4, () => ({ result: null }));
  await expect(page.getByText('12 of 12')).toBeVisible();
  await expect(callback('on_complete')).toContainText('Pending');
  await expect(callback('on_success')).toContainText('Not created yet');
  await expect(page.getByRole('button', { name: 'Cancel batch…' })).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('a batch is cancelled by an operation, and found from its jobs and by its id', async ({
  page,
  open,
  organization,
  problems,
}) => {
  const { client } = organization;
  const id = await seed(organization);
  const [job] = await client.batches.jobs(id);
  await open(`/jobs/${job!.id}`);
  await page
    .getByRole('region', { name: 'Details' })
    .getByRole('link', { name: `…${id.slice(-8)}` })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices of March');
  await page.getByRole('button', { name: 'Cancel batch…' }).click();
  await expect(page.getByRole('dialog')).toContainText('4 jobs that wait will not run');
  await confirmTyped(page, 'cancel', 'Cancel the batch');
  await expect(page.getByText('12 of 12')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Counts' }).getByRole('link', { name: '4', exact: true }),
  ).toBeVisible();

  // By the keyboard: the menu's key, and the search line for an id.
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Batches');
  const search = page.getByRole('searchbox', { name: 'Search jobs' });
  await search.fill(` ${id.toUpperCase()} `);
  await search.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices of March');
  const [operation] = await client.operations.list({ kind: 'job.cancel' });
  await search.fill(operation!.id);
  await search.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cancel jobs');
  expect(problems).not.toContain(expect.stringContaining('Error:'));
});

test('a batch that cannot be read says why, and is read again', async ({ page, open, show, organization }) => {
  const id = await seed(organization);
  // Until something is pressed: the page also reads again by itself, which would take the button away.
  await page.addInitScript(`
    let isPressed = false;
    addEventListener('pointerdown', () => (isPressed = true), true);
    const { fetch } = window;
    window.fetch = (target, ...more) =>
      isPressed || !String(target.url ?? target).includes('/api/v1/batches')
        ? fetch(target, ...more)
        : Promise.resolve(Response.json({ code: 'SERVICE_UNAVAILABLE', message: 'PostgreSQL is not available' }, { status: 503 }));
  `);
  for (const path of ['/batches', `/batches/${id}`]) {
    await open(path);
    await expect(page.getByText('PostgreSQL is not available').first()).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByText('Invoices of March').first()).toBeVisible();
  }
  await show('/batches/00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('Batch not found')).toBeVisible();
});

test('an id leads to a screen also while the server answers nothing, unless the user has gone elsewhere', async ({
  page,
  open,
}) => {
  const id = '01a21bf1-b7a5-7224-9677-c0ed694e29e1';
  await open('/batches');
  await expect(page.getByText('There are no batches yet')).toBeVisible();
  await page.route(`**/api/v1/jobs/${id}**`, () => undefined);
  const search = page.getByRole('searchbox', { name: 'Search jobs' });
  await search.fill(id);
  await search.press('Enter');
  await page.getByRole('link', { name: 'Queues', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queues');
  await search.fill(id);
  await search.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Job …${id.slice(-8)}`, { timeout: 15_000 });
});

test('a job that succeeded after a failure shows no error as its outcome', async ({ page, open, organization }) => {
  const { client } = organization;
  const { id } = await client.batches.create({ name: '\u202e\u200b' });
  await client.batches.add(id, {
    queueName: 'invoices',
    jobs: [{ payload: {}, maxRetries: 3, backoff: { strategy: 'fixed', delayMs: 100 } }],
  });
  const worker = { queueName: 'invoices', workerId: 'w1' };
  const claim = async () => (await client.jobs.claim({ ...worker, waitSeconds: 10 }))[0]!;
  const first = await claim();
  await client.jobs.fail(first.id, { workerId: 'w1', leaseId: first.leaseId, error: 'HTTP 503' });
  await open('/batches');
  // A name of which nothing can be seen is no link that could be found.
  await page.getByRole('link', { name: `Batch …${id.slice(-8)}` }).click();
  const row = rowsOf(page, 'Jobs of the batch').nth(1);
  await expect(row).toContainText('HTTP 503');
  const second = await claim();
  await client.jobs.complete(second.id, { workerId: 'w1', leaseId: second.leaseId });
  await expect(row).toContainText('Completed');
  await expect(row).not.toContainText('HTTP 503');
});

test('events do not make the page read the results of a complete batch again', async ({ page, open, organization }) => {
  const { client } = organization;
  const { id } = await client.batches.create({ name: 'Imports' });
  await client.batches.add(id, { queueName: 'imports', jobs: payloads(3) });
  await runJobs(client, 'imports', 3, () => ({ result: 'x'.repeat(1_000) }));
  await client.batches.close(id);
  const reads = { batch: 0, jobs: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(`/batches/${id}`) && request.resourceType() === 'fetch') reads.batch++;
    if (pathname.endsWith(`/batches/${id}/jobs`)) reads.jobs++;
  });
  await open(`/batches/${id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Jobs of the batch' })).toHaveAttribute('aria-rowcount', '4');
  await expect(async () => {
    await client.jobs.create({ queueName: 'others', payload: {} });
    expect(reads.batch).toBeGreaterThan(4);
  }).toPass();
  expect(reads.jobs).toBe(1);
});

test('a view that nothing else reads again is read again after an outage', async ({ page, open, organization }) => {
  const { client } = organization;
  const { id } = await client.batches.create({ name: 'Imports' });
  await client.batches.add(id, { queueName: 'imports', jobs: payloads(1) });
  await runJobs(client, 'imports', 1, () => ({ result: { rows: 12 } }));
  await client.batches.close(id);
  const isAway = { value: true };
  await page.route('**/api/v1/batches/*/jobs*', (route) =>
    isAway.value
      ? route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'PostgreSQL is not available' } })
      : route.continue(),
  );
  await open(`/batches/${id}`);
  const banner = page.getByRole('alert').filter({ hasText: 'The server fails to answer' });
  await expect(banner).toContainText('Jobs of the batch: not loaded');
  isAway.value = false;
  await expect(page.getByText('{"rows":12}')).toBeVisible();
  await expect(banner).toHaveCount(0);
});
