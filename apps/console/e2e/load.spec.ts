import { expect, test } from './setup/fixtures.js';

test.describe('many', () => {
  test('jobs are listed page by page, with only what is in view in the document', async ({
    page,
    open,
    organization,
  }) => {
    const { client } = organization;
    const jobs = Array.from({ length: 100 }, () => ({ payload: {} }));
    for (let i = 0; i < 10; i++) await client.jobs.createMany({ queueName: `queue-${i}`, jobs });
    await open('/jobs?order=oldest');
    const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
    await expect(rows.nth(1)).toContainText('queue-0');
    const all = page.getByText('1,000 in all');
    await expect(all).toBeHidden();
    // Each key press reaches the end of what is loaded by then.
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(all).toBeVisible({ timeout: 500 });
      await expect(rows.last()).toContainText('queue-9', { timeout: 500 });
    }).toPass();
    expect(await rows.count()).toBeLessThan(60);
    await expect(page.getByRole('table', { name: 'Jobs' })).toHaveAttribute('aria-rowcount', '1001');
  });

  test('events refresh a view at most once per second', async ({ page, open, organization, stack }) => {
    const { client, id } = organization;
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/jobs');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    // What the opening of the stream itself refreshes.
    await page.waitForResponse((response) => response.url().includes('/api/v1/jobs?'));
    let requests = 0;
    page.on('request', (request) => (requests += request.url().includes('/api/v1/jobs?') ? 1 : 0));
    const redis = (await stack.redis!.primaryOf(id)).connect();
    const data = { job_id: id, queue_name: 'emails', priority: 0, timestamp: new Date().toISOString() };
    const events = JSON.stringify(Array.from({ length: 100 }, () => ({ type: 'JobCreated', data })));
    const begun = Date.now();
    for (let i = 0; i < 50; i++) await redis.publish(`org:${id}:events`, events);
    await client.jobs.create({ queueName: 'after-the-flood', payload: {} });
    await expect(page.getByRole('link', { name: 'after-the-flood' })).toBeVisible();
    redis.disconnect();
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual((Date.now() - begun) / 1000 + 2);
  });
});
