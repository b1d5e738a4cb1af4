import type { Page, Request } from '@playwright/test';
import { expect, type Organization, test } from './setup/fixtures.js';
import { measureShifts, movedParts, shiftOf } from './setup/layout.js';
import { readRarely } from './setup/read-rarely.js';
import { runJobs } from './setup/run-jobs.js';
import { seedSeries } from './setup/seed-series.js';

/** Every screen of an organization that has a place in the menu. */
const menu = [
  '/',
  '/queues',
  '/jobs',
  '/running',
  '/types',
  '/failures',
  '/operations',
  '/workers',
  '/workflows',
  '/batches',
  '/schedules',
  '/webhooks',
  '/webhooks/received',
  '/keys',
  '/usage',
  '/audit',
  '/organization',
];

/** More queues than a request for each may be made. */
const queues = 30;
const maxRequests = 20;
const maxShift = 0.05;

/** @returns the screens of one of each thing */
async function seed({ client }: Organization): Promise<string[]> {
  const jobs = Array.from({ length: 12 }, (_, number) => ({ payload: { job_type: 'receipt', number } }));
  await client.jobs.createMany({ queueName: 'emails', jobs });
  await runJobs(client, 'emails', 8, ({ number }) =>
    Number(number) % 4 ? { result: { sent: true } } : { error: 'Mailbox is full' },
  );
  for (let number = 0; number < queues; number++)
    await client.jobs.create({ queueName: `imports-${number}`, payload: {} });
  await client.queues.pause('imports-1', 'Upgrade of the importer');
  const schedule = { name: 'Nightly report', cronExpression: '0 2 * * *', queueName: 'reports', payloadTemplate: {} };
  const { id: scheduleId } = await client.schedules.create(schedule);
  const hook = { name: 'Orders', url: 'https://example.com/hook', events: ['job.completed' as const] };
  const { id: webhookId } = await client.outgoingWebhooks.create(hook);
  const order = [{ key: 'charge', queueName: 'emails', payload: {} }];
  const { workflowId } = await client.workflows.create({ name: 'Order', jobs: order });
  const { id: batchId } = await client.batches.create({
    name: 'Letters',
    onDeath: { queueName: 'emails', payload: {} },
  });
  await client.batches.add(batchId, { queueName: 'emails', jobs: jobs.slice(0, 2) });
  await client.workers.register({ queueName: 'emails', hostname: 'mailer', workerId: 'w1', version: '2.4.1' });
  const [dead] = await client.jobs.list({ status: 'deadletter' });
  const [waiting] = await client.jobs.list({ status: 'pending' });
  const [group] = await client.jobs.deadLetters.groups();
  const batchAndHook = [`/batches/${batchId}`, `/webhooks/${webhookId}`];
  const ofQueue = ['/queues/emails', '/workers/w1', `/schedules/${scheduleId}`, `/workflows/${workflowId}`];
  return [...ofQueue, ...batchAndHook, `/jobs/${dead!.id}`, `/jobs/${waiting!.id}`, `/failures/${group!.id}`];
}

/** Counts what the page asks the API for, and knows what has not been answered; the stream of events stays open. */
function watchRequests(page: Page) {
  const open = new Set<Request>();
  let asked = 0;
  const isApi = (request: Request) =>
    new URL(request.url()).pathname.startsWith('/api/') && request.resourceType() !== 'eventsource';
  page.on('request', (request) => {
    if (!isApi(request) || request.url().includes('/events')) return;
    asked++;
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const take = (): number => {
    const count = asked;
    asked = 0;
    return count;
  };
  return { isIdle: () => open.size === 0, take };
}

test('BX-16 no screen moves while it loads, and each needs at most 20 requests', async ({
  page,
  open,
  organization,
  stack,
}, { annotations }) => {
  const things = await seed(organization);
  await seedSeries(stack, organization.id, 'emails', { created: 20, completed: 18, processing: 2, pending: 3 });
  await readRarely(page);
  await measureShifts(page);
  const requests = watchRequests(page);
  const found: { screen: string; shift: number; requests: number; moved: string[] }[] = [];
  for (const screen of [...menu, ...things]) {
    requests.take();
    await open(screen);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 1_000 });
      // What has been answered is drawn in the second frame, and may ask for more.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(requests.isIdle()).toBe(true);
    }).toPass();
    const shift = Math.round((await shiftOf(page)) * 1_000) / 1_000;
    found.push({ screen, shift, requests: requests.take(), moved: shift < maxShift ? [] : await movedParts(page) });
  }
  const lines = found.map(({ screen, shift, requests: count }) => `${screen}: shift ${shift}, ${count} requests`);
  annotations.push({ type: 'first screens', description: lines.join('; ') });
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(found.filter(({ shift, requests: count }) => shift >= maxShift || count > maxRequests)).toEqual([]);
});
