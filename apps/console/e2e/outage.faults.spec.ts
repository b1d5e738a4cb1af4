import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import {
  defaultTimeouts,
  eventually,
  expect,
  startPausableDatabase,
  startStack,
  test as base,
} from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';
import { runSql } from './setup/sql.js';

interface Faulty {
  services: Awaited<ReturnType<typeof startStack>>;
  database: Awaited<ReturnType<typeof startPausableDatabase>>;
}

/** With services and a database of their own, which these tests stop. */
const test = base.extend<object, { faulty: Faulty }>({
  faulty: [
    // Playwright reads the names of fixtures from the first parameter.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const database = await startPausableDatabase();
      const env = { ...defaultTimeouts, CONSOLE_REFRESH_MS: '300', RATE_LIMIT_CONSOLE_PER_SECOND: '1000' };
      const services = await startStack({ database, env });
      await use({ services, database });
      database.resume();
      await services.stop();
      await database.drop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  stack: [async ({ faulty: { services } }, use) => use(services), { scope: 'worker' }],
});

test.describe('while a part of the system is unavailable', () => {
  test('the gateway: the page keeps its data, names what is stale, and goes on by itself', async ({
    page,
    open,
    organization: { client },
    faulty: { services },
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues/emails');
    await expect(page.getByText('No workers').first()).toBeVisible();
    await services.kill('gateway');
    try {
      const banner = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' });
      await expect(banner).toBeVisible();
      await expect(banner).toContainText('State of emails');
      await expect(page.getByText('No workers').first()).toBeVisible();
      await expectAccessible(page);
      await capture(page, 'outage');
    } finally {
      await services.restart('gateway');
    }
    await expect(page.getByText('The server cannot be reached', { exact: true })).toBeHidden();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });

  test('Redis: the page says that it reads at intervals, and shows changes nevertheless', async ({
    page,
    open,
    organization: { client },
    faulty: { services },
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/jobs');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await services.redis!.kill();
    try {
      await expect(page.getByText('Every 0.3 s', { exact: true })).toBeVisible();
      await expect(noUpdates(page)).toContainText('Redis is unavailable');
      await client.jobs.create({ queueName: 'while-redis-is-away', payload: {} });
      await expect(page.getByRole('link', { name: 'while-redis-is-away' })).toBeVisible();
    } finally {
      await services.redis!.start();
    }
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 45_000 });
  });

  test('the realtime service: the page says so, and shows changes nevertheless', async ({
    page,
    open,
    organization: { client },
    faulty: { services },
  }) => {
    await open('/jobs');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await services.kill('realtime');
    try {
      await expect(noUpdates(page)).toContainText('the stream of the realtime service cannot be reached');
      await client.jobs.create({ queueName: 'while-realtime-is-away', payload: {} });
      await expect(page.getByRole('link', { name: 'while-realtime-is-away' })).toBeVisible();
      await expectAccessible(page);
    } finally {
      await services.restart('realtime');
    }
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(noUpdates(page)).toBeHidden();
  });

  test('PostgreSQL and the scheduler: the page names them, what is stale, and goes on by itself', async ({
    page,
    open,
    organization: { client },
    faulty: { services, database },
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues/emails');
    await expect(page.getByText('No workers').first()).toBeVisible();
    const banner = page.getByRole('alert').filter({ hasText: 'The server fails to answer' });
    database.pause();
    try {
      await expect(banner).toContainText('PostgreSQL is unavailable', { timeout: 40_000 });
      await expect(banner).toContainText('State of emails');
      await expect(page.getByText('No workers').first()).toBeVisible();
    } finally {
      database.resume();
    }
    await expect(banner).toBeHidden({ timeout: 40_000 });

    await eventually(() => client.monitoring.series({ queue: 'emails' }).then(expectKnown), { timeoutMs: 30_000 });
    await services.kill('scheduler');
    try {
      // As if the last samples had been taken ten minutes earlier.
      for (const table of ['series_samples', 'queue_series']) {
        await runSql(services, `UPDATE ${table} SET at = at - interval '10 minutes'`, []);
      }
      await page.reload();
      await expect(page.getByText('The charts are not up to date')).toBeVisible();
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Problems' })).toContainText('No scheduler runs');
    } finally {
      await services.restart('scheduler');
    }
  });
});

const noUpdates = (page: Page) => page.getByRole('status').filter({ hasText: 'No live updates' });

/** Something was sampled. */
const expectKnown = ({ points }: { points: { pending: number | null }[] }): void =>
  expect(points.some(({ pending }) => pending !== null)).toBe(true);
