import { expect, test } from './setup/fixtures.js';
import { runSql, seedCompletedJobs } from './setup/sql.js';

test('a long list is read page by page, with only what is in view in the document', async ({
  page,
  open,
  organization: { id },
  stack,
}) => {
  await seedCompletedJobs(stack, id, 'emails', 300);
  await open('/jobs?order=oldest');
  const table = page.getByRole('table', { name: 'Jobs', exact: true });
  const rows = table.getByRole('row');
  await expect(rows.nth(5)).toBeVisible();
  const all = page.getByText('300 in all');
  await expect(all).toBeHidden();
  // Each key press reaches the end of what is loaded by then.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(all).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(table).toHaveAttribute('aria-rowcount', '301');
  expect(await rows.count()).toBeLessThan(60);
  // The head stays in view.
  await expect(table.getByRole('columnheader', { name: 'Status' })).toBeInViewport();
  await page.keyboard.press('Home');
  await rows.nth(1).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: /^Job …/ })).toBeVisible();
});

test('a page of a list that could not be read is asked for again after some seconds', async ({
  page,
  open,
  organization: { id },
  stack,
}) => {
  await seedCompletedJobs(stack, id, 'emails', 250);
  await page.clock.install();
  await open('/jobs?order=oldest');
  await expect(page.getByText('100 shown, more follow as you scroll')).toBeVisible();
  // Of several pages: a list of one is read again at intervals, and a key press may come while it is.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByText('200 shown, more follow as you scroll')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  let asked = 0;
  const isNextPage = (url: URL) => url.pathname === '/api/v1/jobs' && Boolean(url.searchParams.get('cursor'));
  await page.route(isNextPage, (route) => {
    asked++;
    return route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'PostgreSQL is unavailable' } });
  });
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000);
  await page.keyboard.press('End');
  // The client retries once by itself.
  await expect(async () => {
    await page.clock.runFor(100);
    expect(asked).toBe(2);
  }).toPass();
  for (let step = 0; step < 8; step++) await page.clock.runFor(500);
  expect(asked).toBe(2);
  await expect(page.getByText('200 shown, the next could not be read: PostgreSQL is unavailable')).toBeVisible();
  await page.unroute(isNextPage);
  await page.clock.resume();
  await page.clock.fastForward(5_000);
  await expect(page.getByText('250 in all')).toBeVisible();
});

test('more events than a user can read are counted, and no list is read for them', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  await open('/jobs?follow=events');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  let requests = 0;
  page.on('request', (request) => (requests += request.url().includes('/api/v1/jobs?') ? 1 : 0));
  const create = () =>
    client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: 100 }, () => ({ payload: {} })) });
  await create();
  await create();
  const figures = page.getByText(/^\d+ events, \d+ left out/);
  // All 200 have come: later ones would be counted as missed in the pause.
  await expect(async () => {
    const [shown = 0, leftOut = 0] = (await figures.innerText()).match(/\d+/g)?.map(Number) ?? [];
    expect(shown + leftOut).toBe(200);
    expect(leftOut).toBeGreaterThanOrEqual(100);
  }).toPass();
  await page.getByRole('button', { name: 'Pause' }).click();
  await create();
  await expect(page.getByText('Paused, 100 since')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await page.getByRole('table', { name: 'Live tail' }).getByRole('row').count()).toBeLessThan(60);
  expect(requests).toBe(0);
  expect(problems).toEqual([]);
});

/** Of an element, in pixels. */
type Widths = { scrollWidth: number; clientWidth: number };

test('large figures are not cut in the lists of batches and operations', async ({
  page,
  open,
  show,
  organization: { client, id },
  stack,
}) => {
  const batch = await client.batches.create({ name: 'Invoices' });
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await client.operations.cancelJobs({ queueName: 'emails', holdSeconds: 600 });
  await runSql(stack, 'UPDATE batches SET total_jobs = 1000000 WHERE id = $1', [batch.id]);
  await runSql(
    stack,
    'INSERT INTO batch_counts (organization_id, batch_id, slot, succeeded) VALUES ($1, $2, 0, 999999)',
    [id, batch.id],
  );
  await runSql(stack, 'UPDATE operations SET total = NULL, processed = 100000 WHERE organization_id = $1', [id]);
  for (const [path, figure] of [
    ['/batches', '999,999 of 1,000,000'],
    ['/operations', '100,000 of over 100,000'],
  ] as const) {
    await (path === '/batches' ? open(path) : show(path));
    const cell = page.getByRole('cell').filter({ hasText: figure });
    await expect(cell).toBeVisible();
    expect(
      await cell.evaluate(({ scrollWidth, clientWidth }: Widths) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
  }
});
