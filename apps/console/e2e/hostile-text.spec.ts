import type { Page } from '@playwright/test';
import { expect, type Organization, Receiver, replaceSession, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';

/** What a page would run or load if it took a text for markup. */
const hostile = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

/** Nothing of the text has become an element, and nothing of it ran. */
async function expectOnlyText(page: Page, problems: string[]): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  await expect(page.locator('img[src="x"], script:not([src]), a[href^="javascript:"]')).toHaveCount(0);
  expect(problems).toEqual([]);
}

/** A dead letter whose payload, error, tags, worker and progress are hostile, and a failed delivery with a hostile response. */
async function seed(
  { client, id: organizationId }: Organization,
  url: string,
): Promise<{ job: string; hook: string; batch: string }> {
  const hook = await client.outgoingWebhooks.create({ name: hostile, url, events: ['job.deadlettered'] });
  const { id } = await client.jobs.create({
    queueName: 'emails',
    payload: { job_type: hostile, [hostile]: { [hostile]: [hostile] } },
    tags: [hostile],
    maxRetries: 0,
    idempotencyKey: hostile,
  });
  const worker = { queueName: 'emails', hostname: 'worker-1', metadata: { [hostile]: hostile } };
  const { id: workerId } = await client.workers.register(worker);
  const [claimed] = await client.jobs.claim({ queueName: 'emails', workerId, waitSeconds: 10 });
  await client.jobs.progress(id, { progress: 50, message: hostile, workerId, leaseId: claimed!.leaseId });
  await client.jobs.fail(id, { workerId, leaseId: claimed!.leaseId, error: hostile });
  await client.jobs.create({ queueName: 'reports', payload: {} });
  await client.queues.pause('reports', hostile);
  await client.organizations.update(organizationId, { name: hostile, settings: { [hostile]: hostile } });
  await client.schedules.create({
    name: hostile,
    description: hostile,
    cronExpression: '0 0 1 1 *',
    queueName: 'reports',
    payloadTemplate: { [hostile]: hostile },
  });
  const { token } = await client.organizations.webhookToken();
  const webhook = { queueName: 'reports', eventType: hostile, payload: hostile };
  await client.ingestion.custom({ organizationId, token, webhook });
  const { id: batch } = await client.batches.create({ name: hostile, metadata: { [hostile]: hostile } });
  await client.batches.add(batch, { queueName: 'imports', jobs: [{ payload: { job_type: hostile } }] });
  await runJobs(client, 'imports', 1, () => ({ result: { [hostile]: hostile } }));
  return { job: id, hook: hook.id, batch };
}

/** Every screen of the menu, opened by its link. */
async function openScreens(page: Page, check: () => Promise<void>): Promise<void> {
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('listitem').getByRole('link');
  await expect(links.first()).toBeVisible();
  for (let index = 0; index < (await links.count()); index++) {
    await links.nth(index).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await check();
  }
}

test('texts of callers stay texts on every screen', async ({ page, open, show, stack, organization, problems }) => {
  const receiver = await Receiver.open();
  receiver.respond = (_call, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(hostile);
  const { job, hook, batch } = await seed(organization, receiver.url());
  await receiver.received(2);
  await receiver.close();
  await open('/queues');
  const check = () => expectOnlyText(page, problems);
  await openScreens(page, check);

  await show(`/jobs/${job}`);
  await expect(page.getByRole('table', { name: 'Attempts' })).toContainText('<img src=x');
  await expect(page.getByRole('group', { name: 'Payload' })).toContainText('<script>');
  await check();
  await show(`/batches/${batch}`);
  await expect(page.getByRole('table', { name: 'Jobs of the batch' })).toContainText('<img src=x');
  await check();
  await show('/jobs');
  await expect(page.getByRole('table', { name: 'Jobs', exact: true })).toContainText('<img src=x');
  await check();
  await show('/queues/reports');
  await expect(page.getByRole('region', { name: 'Why it does or does not move' })).toContainText('<img src=x');
  await check();
  await show(`/webhooks/${hook}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x');
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { name: 'job.deadlettered' }).click();
  await expect(page.getByRole('group', { name: 'Response' })).toContainText('<img src=x');
  await check();
  await show(`/jobs?search=${encodeURIComponent(JSON.stringify(hostile))}&tag=${encodeURIComponent(hostile)}`);
  await expect(page.getByRole('searchbox', { name: 'Tag' })).toHaveValue(hostile);
  await check();
  await show('/organization');
  await expect(page.getByRole('group', { name: 'Settings' })).toContainText('<img src=x');
  await check();

  await replaceSession(page, stack.baseUrl, { admin_key: stack.adminKey });
  await open('/platform');
  await openScreens(page, check);
  await show(`/platform/organizations/${organization.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x');
  await check();
});

test('a link in the address of the sign-in page leads nowhere else', async ({ page, stack, organization: { key } }) => {
  await page.goto(`${stack.baseUrl}/console/login?next=${encodeURIComponent('//example.com/%22%3E<script>')}`);
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).origin).toBe(new URL(stack.baseUrl).origin);
});
