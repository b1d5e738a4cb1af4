import type { Page } from '@playwright/test';
import { expect, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';
import { seedSeries } from './setup/seed-series.js';
import { runSql } from './setup/sql.js';

const text = (count: number): string => count.toLocaleString('en');
/** What a cell or a fact shows of a rate: the last minute, and the last hour below it. */
const inMinute = (count: number, seconds: number): string => text(Math.round((count * 60) / seconds));

async function cellsOf(page: Page, queue: string): Promise<Record<string, string>> {
  const table = page.getByRole('table', { name: 'Queues' });
  const titles = await table.getByRole('columnheader').allTextContents();
  const row = table.getByRole('row').filter({ has: page.getByRole('link', { name: queue, exact: true }) });
  const cells = await row.getByRole('cell').allTextContents();
  return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? '']));
}

/** The text of a fact, without its name. */
const factOf = (page: Page, section: string, name: string) =>
  page
    .getByRole('region', { name: section, exact: true })
    .locator('div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
    .last()
    .locator('dd');

test.describe('the figures of the screens', () => {
  test('BX-25 are those of the API, in one unit, and say where a count ends', async ({
    page,
    open,
    show,
    organization,
    stack,
  }) => {
    const { client, id } = organization;
    await client.jobs.create({ queueName: 'imports', payload: {} });
    await runSql(
      stack,
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, due_at)
       SELECT uuidv7(), $1, now(), 'retrying', 0, 3, 'imports', now() + interval '1 h' FROM generate_series(1, 10500)`,
      [id],
    );
    await seedSeries(stack, id, 'emails', { created: 20, completed: 18, processing: 2, pending: 3 });
    await client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: 8 }, () => ({ payload: {} })) });
    await runJobs(client, 'emails', 3, () => ({ result: null }));
    await runJobs(client, 'emails', 1, () => ({ error: 'HTTP 500' }));
    await open('/queues');
    await expect(async () => {
      const { jobs, rates } = await client.queues.explain('emails');
      const { lastMinute: minute, coveredSeconds } = rates;
      expect(coveredSeconds).toBe(3_600);
      expect(await cellsOf(page, 'emails')).toMatchObject({
        Ready: text(jobs.ready.count),
        Running: text(jobs.running.count),
        'In/min': `${inMinute(minute!.created, minute!.coveredSeconds)}${text(rates.createdLastHour)} in 1 h`,
        'Done/min': `${inMinute(minute!.completed, minute!.coveredSeconds)}${text(rates.completedLastHour)} in 1 h`,
        'Failed/min': `${inMinute(minute!.failedAttempts, minute!.coveredSeconds)}1 in 1 h`,
      });
    }).toPass();
    expect((await cellsOf(page, 'imports')).Later).toBe('over 10,000');
    expect((await client.queues.explain('imports')).jobs.retrying).toMatchObject({ atLeast: true });
    await show('/queues/imports');
    await expect(factOf(page, 'Now', 'Waiting to retry')).toHaveText('over 10,000');
    await show('/queues/emails');
    await expect(async () => {
      const { rates } = await client.queues.explain('emails');
      const { created, coveredSeconds } = rates.lastMinute!;
      await expect(factOf(page, 'Now', 'Ready')).toHaveText('4', { timeout: 1_000 });
      await expect(factOf(page, 'Per minute', 'Created')).toHaveText(
        `${inMinute(created, coveredSeconds)}${text(rates.createdLastHour)} in the last hour`,
        { timeout: 1_000 },
      );
    }).toPass();
    await show('/');
    await expect(async () => {
      const { jobs, recentActivity: hour } = await client.health.dashboard();
      await expect(factOf(page, 'Numbers', 'Pending')).toHaveText(text(jobs.pending), { timeout: 1_000 });
      await expect(factOf(page, 'Numbers', 'Dead letters')).toHaveText('1', { timeout: 1_000 });
      await expect(factOf(page, 'Numbers', 'Failed attempts per minute')).toContainText(
        `${text(hour.failedAttempts1h)} in the last hour`,
        { timeout: 1_000 },
      );
    }).toPass();
  });

  test('BX-25 are those of the server’s time in a browser whose clock is wrong', async ({
    page,
    open,
    show,
    organization,
  }) => {
    await organization.client.jobs.create({ queueName: 'emails', payload: {} });
    await page.clock.install({ time: '2040-01-01T00:00:00Z' });
    const series = page.waitForResponse((response) => response.url().includes('/api/v1/series?'));
    await open('/queues/emails');
    // The first response has told the time.
    expect((await series).status()).toBe(200);
    await show('/jobs');
    await expect(page.getByRole('table', { name: 'Jobs' }).locator('time').first()).toHaveText(
      /^(now|\d+ (s|min) ago) /,
    );
  });
});
