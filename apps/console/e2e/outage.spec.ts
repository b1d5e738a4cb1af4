import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';

test.describe('while a part of the system is away', () => {
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
      await client.jobs.create({ queueName: 'while-redis-is-away', payload: {} });
      await expect(page.getByRole('link', { name: 'while-redis-is-away' })).toBeVisible({ timeout: 30_000 });
    } finally {
      await stack.redis!.start();
    }
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 45_000 });
  });
});
