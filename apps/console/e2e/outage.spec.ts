import type { Page } from '@playwright/test';
import pg from 'pg';
import { expectAccessible } from './setup/accessibility.js';
import {
  createOrganization,
  eventually,
  expect,
  signIn,
  startPausableDatabase,
  startStack,
  test,
} from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';

test.describe('while a part of the system is unavailable', () => {
  // Each waits several times for what takes up to 30 s.
  test.slow();

  test('the gateway: the page keeps its data, names what is stale, and goes on by itself', async ({
    page,
    open,
    organization: { client },
    stack,
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues/emails');
    await expect(page.getByText('No workers').first()).toBeVisible();
    await stack.kill('gateway');
    try {
      const banner = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' });
      await expect(banner).toBeVisible({ timeout: 30_000 });
      await expect(banner).toContainText('State of emails');
      await expect(page.getByText('No workers').first()).toBeVisible();
      await expectAccessible(page);
      await capture(page, 'outage');
    } finally {
      await stack.restart('gateway');
    }
    await expect(page.getByText('The server cannot be reached', { exact: true })).toBeHidden({ timeout: 30_000 });
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  });

  test('Redis: the page says that it reads at intervals, and shows changes nevertheless', async ({
    page,
    open,
    organization: { client },
    stack,
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/jobs');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await stack.redis!.kill();
    try {
      await expect(page.getByText('Every 5 s', { exact: true })).toBeVisible({ timeout: 30_000 });
      await expect(noUpdates(page)).toContainText('Redis is unavailable', { timeout: 30_000 });
      await client.jobs.create({ queueName: 'while-redis-is-away', payload: {} });
      await expect(page.getByRole('link', { name: 'while-redis-is-away' })).toBeVisible({ timeout: 30_000 });
    } finally {
      await stack.redis!.start();
    }
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 45_000 });
  });

  test('the realtime service: the page says so, and shows changes nevertheless', async ({
    page,
    open,
    organization: { client },
    stack,
  }) => {
    await open('/jobs');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await stack.kill('realtime');
    try {
      await expect(noUpdates(page)).toContainText('the stream of the realtime service cannot be reached', {
        timeout: 30_000,
      });
      await client.jobs.create({ queueName: 'while-realtime-is-away', payload: {} });
      await expect(page.getByRole('link', { name: 'while-realtime-is-away' })).toBeVisible({ timeout: 30_000 });
      await expectAccessible(page);
    } finally {
      await stack.restart('realtime');
    }
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(noUpdates(page)).toBeHidden();
  });

  test('PostgreSQL and the scheduler: the page names them, what is stale, and goes on by itself', async ({ page }) => {
    test.setTimeout(180_000);
    // Of its own: the other tests share their database.
    const database = await startPausableDatabase();
    const stack = await startStack({ database });
    try {
      const { key, client } = await createOrganization(stack);
      await client.jobs.create({ queueName: 'emails', payload: {} });
      await signIn(page, stack.baseUrl, { api_key: key });
      await page.goto(`${stack.baseUrl}/console/queues/emails`);
      await expect(page.getByText('No workers').first()).toBeVisible();

      database.pause();
      const banner = page.getByRole('alert').filter({ hasText: 'The server fails to answer' });
      await expect(banner).toContainText('PostgreSQL is unavailable', { timeout: 40_000 });
      await expect(banner).toContainText('State of emails');
      await expect(page.getByText('No workers').first()).toBeVisible();
      database.resume();
      await expect(banner).toBeHidden({ timeout: 40_000 });

      await eventually(() => client.monitoring.series({ queue: 'emails' }).then(expectKnown), { timeoutMs: 30_000 });
      await stack.kill('scheduler');
      await passTenMinutes(database.superuserUrl);
      await page.reload();
      await expect(page.getByText('The charts are not up to date')).toBeVisible({ timeout: 30_000 });
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Problems' })).toContainText('No scheduler runs');
    } finally {
      database.resume();
      await stack.stop();
      await database.drop();
    }
  });
});

const noUpdates = (page: Page) => page.getByRole('status').filter({ hasText: 'No live updates' });

/** Something was sampled. */
const expectKnown = ({ points }: { points: { pending: number | null }[] }): void =>
  expect(points.some(({ pending }) => pending !== null)).toBe(true);

/** As if the last samples had been taken ten minutes earlier. */
async function passTenMinutes(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const table of ['series_samples', 'queue_series']) {
    await client.query(`UPDATE ${table} SET at = at - interval '10 minutes'`);
  }
  await client.end();
}
